import { Form } from "react-router";
import type { CalendarDate } from "#domain/calendar.ts";
import { computeTrackRecord } from "#domain/track-record.ts";
import type { PublicRecord } from "#tips/tips.server.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { Pagination } from "#ui/pagination.tsx";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Results } from "./tipster-profile.ui.tsx";

type RecordPage = PublicRecord & {
  /** The `until` parameter of the URL, or null on the newest page. */
  until: CalendarDate | null;
  /** The latest day whose tips are public. */
  latest: CalendarDate;
};

/** A creator's public record by day, with a date field for earlier days. */
export function PublicRecordSection({ slug, record }: { slug: string; record: RecordPage }) {
  const { days, olderUntil, until, latest } = record;
  const path = `/tipsters/${slug}`;
  return (
    <section aria-labelledby="record">
      <SectionHeading
        id="record"
        lead="Every selection, losers like winners, public from midnight after its race day."
      >
        Public record
      </SectionHeading>
      {days.length > 0 || until ? (
        <Form action={`${path}#record`} className="mt-3 flex flex-wrap items-end gap-3">
          <TextField
            key={until}
            label="Up to race day"
            name="until"
            type="date"
            max={latest}
            defaultValue={until ?? latest}
            required
          />
          <Button type="submit" variant="secondary">
            Show
          </Button>
        </Form>
      ) : null}
      {days.length === 0 ? (
        until ? (
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
                <Results results={tips} />
              </section>
            );
          })}
        </div>
      )}
      <Pagination
        label="Public record"
        className="mt-4"
        newerHref={until ? `${path}#record` : null}
        newerLabel="Newest"
        olderHref={olderUntil ? `${path}?until=${olderUntil}#record` : null}
      />
    </section>
  );
}
