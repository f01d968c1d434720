import { Search } from "lucide-react";
import type { ChangeEvent } from "react";
import { Form, useSearchParams } from "react-router";
import { Button } from "#ui/button.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { Pagination } from "#ui/pagination.tsx";
import { TextLink } from "#ui/text-link.tsx";

export type ListChoice = {
  name: string;
  label: string;
  /** The first option, which filters nothing: 'All venues'. Omitted when a choice is required. */
  all?: string;
  options: readonly { value: string; label: string }[];
};

/** Orders a list by age; the first option is the default. */
export const BY_AGE: ListChoice = {
  name: "order",
  label: "Order",
  options: [
    { value: "newest", label: "Newest first" },
    { value: "oldest", label: "Oldest first" },
  ],
};

type ListBarProps = {
  /** The label of the search box, such as 'Horse'; without it there is no search box. */
  search?: string;
  choices?: readonly ListChoice[];
  /** Other query parameters to keep. */
  keep?: Record<string, string | null>;
};

/** The search, filters and order of a list: a GET form, which works without scripts. */
export function ListBar({ search, choices = [], keep = {} }: ListBarProps) {
  const [given] = useSearchParams();
  const names = [...(search ? ["search"] : []), ...choices.map((choice) => choice.name)];
  const isNarrowed = names.some((name) => given.get(name));
  const send = (event: ChangeEvent<HTMLSelectElement>) => event.currentTarget.form?.requestSubmit();
  return (
    <Form
      method="get"
      role={search ? "search" : undefined}
      preventScrollReset
      // Resets the fields when the query parameters change.
      key={given.toString()}
      className="flex flex-wrap items-end gap-2"
    >
      {Object.entries(keep).map(([name, value]) =>
        value ? <input key={name} type="hidden" name={name} value={value} /> : null,
      )}
      {search ? (
        <TextField
          label={search}
          labelHidden
          type="search"
          name="search"
          placeholder={search}
          maxLength={100}
          defaultValue={given.get("search") ?? ""}
          prefix={<Search aria-hidden="true" />}
          className="min-w-48 flex-1 basis-64"
        />
      ) : null}
      {choices.map(({ name, label, all, options }) => (
        <SelectField
          key={name}
          label={label}
          labelHidden
          name={name}
          defaultValue={given.get(name) ?? (all === undefined ? options[0]?.value : "")}
          options={all === undefined ? options : [{ value: "", label: all }, ...options]}
          onChange={send}
          // As wide as its longest option; on a phone two share a row only when both fit.
          className="min-w-36 flex-auto sm:flex-none"
        />
      ))}
      <Button type="submit" variant="secondary">
        {search ? "Search" : "Show"}
      </Button>
      {isNarrowed ? (
        <TextLink
          to={clearHref(given, names)}
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

function clearHref(given: URLSearchParams, names: readonly string[]): string {
  const rest = new URLSearchParams(given);
  for (const name of [...names, "after"]) rest.delete(name);
  return `?${rest}`;
}

/** Links to the next page and back to the first page of a list. */
export function ListPages({ label, next }: { label: string; next: string | number | null }) {
  const [given] = useSearchParams();
  const first = new URLSearchParams(given);
  first.delete("after");
  const older = new URLSearchParams(given);
  if (next !== null) older.set("after", String(next));
  return (
    <Pagination
      label={`Pages of ${label.toLowerCase()}`}
      newerHref={given.has("after") ? `?${first}` : null}
      newerLabel="Back to the start"
      olderHref={next === null ? null : `?${older}`}
      olderLabel="More"
      className="mt-4"
    />
  );
}
