import { Search } from "lucide-react";
import type { ChangeEvent } from "react";
import { Form, useSearchParams } from "react-router";
import { Button } from "#ui/button.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { Pagination } from "#ui/pagination.tsx";
import { TextLink } from "#ui/text-link.tsx";

export type ListFilter = {
  name: string;
  label: string;
  /** The first option, which filters nothing: 'All venues'. Omitted when a value is required. */
  allLabel?: string;
  options: readonly { value: string; label: string }[];
};

/** Orders a list by age; the first option is the default. */
export const ORDER_BY_AGE: ListFilter = {
  name: "order",
  label: "Order",
  options: [
    { value: "newest", label: "Newest first" },
    { value: "oldest", label: "Oldest first" },
  ],
};

type ListBarProps = {
  /** The label of the search box, such as 'Horse'; without it there is no search box. */
  searchLabel?: string;
  filters?: readonly ListFilter[];
  /** Adds the first and the last date, as ?from= and &to=. */
  hasDates?: boolean;
  /** Other query parameters to keep. */
  otherParams?: Record<string, string | null>;
};

/** The search, filters and order of a list: a GET form, which works without JavaScript. */
export function ListBar({
  searchLabel,
  filters = [],
  hasDates = false,
  otherParams = {},
}: ListBarProps) {
  const [searchParams] = useSearchParams();
  const names = [
    ...(searchLabel ? ["search"] : []),
    ...filters.map((filter) => filter.name),
    ...(hasDates ? ["from", "to"] : []),
  ];
  const isFiltered = names.some((name) => searchParams.get(name));
  const submitForm = (event: ChangeEvent<HTMLSelectElement>) =>
    event.currentTarget.form?.requestSubmit();
  return (
    <Form
      method="get"
      role={searchLabel ? "search" : undefined}
      preventScrollReset
      // Resets the fields when the query parameters change.
      key={searchParams.toString()}
      className="flex flex-wrap items-end gap-2"
    >
      {Object.entries(otherParams).map(([name, value]) =>
        value ? <input key={name} type="hidden" name={name} value={value} /> : null,
      )}
      {searchLabel ? (
        <TextField
          label={searchLabel}
          labelHidden
          type="search"
          name="search"
          placeholder={searchLabel}
          maxLength={100}
          defaultValue={searchParams.get("search") ?? ""}
          prefix={<Search aria-hidden="true" />}
          className="min-w-48 flex-1 basis-64"
        />
      ) : null}
      {filters.map(({ name, label, allLabel, options }) => (
        <SelectField
          key={name}
          label={label}
          labelHidden
          name={name}
          defaultValue={searchParams.get(name) ?? (allLabel === undefined ? options[0]?.value : "")}
          options={allLabel === undefined ? options : [{ value: "", label: allLabel }, ...options]}
          onChange={submitForm}
          // As wide as its longest option; on a phone two share a row only when both fit.
          className="min-w-36 flex-auto sm:flex-none"
        />
      ))}
      {hasDates
        ? DATE_FIELDS.map(({ name, label }) => (
            <TextField
              key={name}
              label={label}
              type="date"
              name={name}
              defaultValue={searchParams.get(name) ?? ""}
              className="min-w-36 flex-auto sm:flex-none"
            />
          ))
        : null}
      <Button type="submit" variant="secondary">
        {searchLabel ? "Search" : "Show"}
      </Button>
      {isFiltered ? (
        <TextLink
          to={clearHref(searchParams, names)}
          standalone
          preventScrollReset
          className="px-2 py-2.5 text-sm"
        >
          Clear
        </TextLink>
      ) : null}
    </Form>
  );
}

const DATE_FIELDS = [
  { name: "from", label: "From" },
  { name: "to", label: "To" },
];

function clearHref(searchParams: URLSearchParams, names: readonly string[]): string {
  const remaining = new URLSearchParams(searchParams);
  for (const name of [...names, "after"]) remaining.delete(name);
  return `?${remaining}`;
}

/** Links to the next page and back to the first page of a list. */
export function ListPagination({
  label,
  nextCursor,
}: {
  label: string;
  nextCursor: string | number | null;
}) {
  const [searchParams] = useSearchParams();
  const firstPageParams = new URLSearchParams(searchParams);
  firstPageParams.delete("after");
  const nextPageParams = new URLSearchParams(searchParams);
  if (nextCursor !== null) nextPageParams.set("after", String(nextCursor));
  return (
    <Pagination
      label={`Pages of ${label.toLowerCase()}`}
      newerHref={searchParams.has("after") ? `?${firstPageParams}` : null}
      newerLabel="Back to the start"
      olderHref={nextCursor === null ? null : `?${nextPageParams}`}
      olderLabel="More"
      className="mt-4"
    />
  );
}
