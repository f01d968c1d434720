import { Form } from "react-router";
import type { CalendarDate } from "#domain/calendar.ts";
import { CONFIDENCES, TIP_RESULTS, TIP_TYPES } from "#domain/tip.ts";
import { computeTrackRecord } from "#domain/track-record.ts";
import type { PublicRecord } from "#tips/tips.server.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { Pagination } from "#ui/pagination.tsx";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { type TipsParam, tipsPath } from "./tips-path.ts";
import { Results } from "./tipster-profile.ui.tsx";

type RecordPage = PublicRecord & {
  /** The `until` parameter of the URL, or null on the newest page. */
  until: CalendarDate | null;
  /** Today, the latest day of public tips: those of races with an official result. */
  latest: CalendarDate;
};
type Filter = Record<Exclude<TipsParam, "until">, string | null>;

type PublicRecordProps = {
  slug: string;
  venues: readonly { slug: string; name: string }[];
  filter: Filter;
  record: RecordPage;
  /** The numbers of the tips in the public log, by tip id. */
  entryNumbers: Readonly<Record<string, number>>;
};

const TYPE_LABELS = { win: "Win", place: "Place", "each-way": "Each way" };
const CONFIDENCE_LABELS = { high: "High", medium: "Medium", low: "Low" };
const RESULT_LABELS = { won: "Won", lost: "Lost", void: "Void" };
const PART_OPTIONS = [
  { value: "", label: "All" },
  { value: "counted", label: "Counted in the strike rate" },
  { value: "starting-price", label: "With a starting price" },
  { value: "all-prices", label: "In races with all prices" },
];

/** A creator's public record by day: all of it, or the tips of a figure. */
export function PublicRecordSection(props: PublicRecordProps) {
  const { slug, filter, record, entryNumbers } = props;
  const { days, olderUntil, until } = record;
  const isFiltered = Object.values(filter).some((value) => value !== null);
  return (
    <section aria-labelledby="record">
      <SectionHeading id="record">Public record</SectionHeading>
      <FilterForm key={JSON.stringify([filter, until])} {...props} />
      {days.length === 0 ? (
        isFiltered ? (
          <EmptyState
            compact
            drawing="post"
            title="No tips found"
            className="mt-3"
            action={
              <ButtonLink to={tipsPath(slug)} variant="secondary">
                Show all tips
              </ButtonLink>
            }
          >
            No public tip matches these filters.
          </EmptyState>
        ) : until ? (
          <EmptyState compact drawing="post" title="No results up to this day" className="mt-3" />
        ) : (
          <Results results={[]} className="mt-1" />
        )
      ) : (
        <div className="mt-4 grid gap-6">
          {days.map(({ raceDate, tips }) => {
            const { settled, won } = computeTrackRecord(tips);
            return (
              <section key={raceDate} aria-labelledby={`record-${raceDate}`}>
                <h3
                  id={`record-${raceDate}`}
                  className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-rule-strong pb-1 font-cond text-lg font-bold"
                >
                  <RaceDate date={raceDate} style="long" />
                  <span className="font-sans text-sm font-normal whitespace-nowrap text-ink-2">
                    {settled > 0
                      ? `${won} of ${settled} won`
                      : tips.some((tip) => tip.isClaim)
                        ? "no official results"
                        : "none settled"}
                  </span>
                </h3>
                <Results results={tips} entryNumbers={entryNumbers} />
              </section>
            );
          })}
        </div>
      )}
      <Pagination
        label="Public record"
        className="mt-4"
        newerHref={until ? `${tipsPath(slug, filter)}#record` : null}
        newerLabel="Newest"
        olderHref={olderUntil ? `${tipsPath(slug, { ...filter, until: olderUntil })}#record` : null}
      />
    </section>
  );
}

function FilterForm({ slug, venues, filter, record: { until, latest } }: PublicRecordProps) {
  return (
    <Form
      action={`${tipsPath(slug)}#record`}
      aria-label="Filter the tips"
      className="mt-3 grid grid-cols-2 items-end gap-3 sm:grid-cols-3"
    >
      <SelectField
        label="Track"
        name="venue"
        defaultValue={filter.venue ?? ""}
        options={[
          { value: "", label: "All tracks" },
          ...venues.map(({ slug: value, name }) => ({ value, label: name })),
        ]}
      />
      <SelectField
        label="Type"
        name="type"
        defaultValue={filter.type ?? ""}
        options={[
          { value: "", label: "All types" },
          ...TIP_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] })),
        ]}
      />
      <SelectField
        label="Confidence"
        name="confidence"
        defaultValue={filter.confidence ?? ""}
        options={[
          { value: "", label: "Any" },
          ...CONFIDENCES.map((value) => ({ value, label: CONFIDENCE_LABELS[value] })),
        ]}
      />
      <SelectField
        label="Result"
        name="result"
        defaultValue={filter.result ?? ""}
        options={[
          { value: "", label: "Any" },
          ...TIP_RESULTS.map((value) => ({ value, label: RESULT_LABELS[value] })),
        ]}
      />
      <SelectField
        label="Tips"
        name="tips"
        defaultValue={filter.tips ?? ""}
        options={PART_OPTIONS}
      />
      <TextField
        label="Up to race day"
        name="until"
        type="date"
        max={latest}
        defaultValue={until ?? latest}
        required
      />
      <Button type="submit" variant="secondary" className="col-span-2 sm:col-span-1">
        Show
      </Button>
    </Form>
  );
}
