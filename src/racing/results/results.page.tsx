import { data } from "react-router";
import { findViewer } from "#accounts/accounts.server.ts";
import { addDays, dateAt, formatDate, isCalendarDate } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { Pagination } from "#ui/pagination.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { OfficialResults } from "../official-results.ui.tsx";
import type { Route } from "./+types/results.page.ts";
import { findNeighbouringDays, readResultsOfDay } from "./read-results-of-day.server.ts";
import { buildResultsPath } from "./results-path.ts";

const CACHE_SECONDS = 60;

export const handle = { scriptStart: "use" };

export async function loader({ context, params }: Route.LoaderArgs) {
  const today = dateAt(now());
  const date = params.raceDate ?? today;
  if (!isCalendarDate(date)) throw data(null, { status: 404 });
  const [viewer, meetings, neighbours] = await Promise.all([
    findViewer(context),
    readResultsOfDay(date),
    findNeighbouringDays(date, today),
  ]);
  return data(
    { date, today, meetings, neighbours, isDefault: params.raceDate === undefined },
    viewer ? undefined : { headers: { "Cache-Control": `s-maxage=${CACHE_SECONDS}` } },
  );
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { date, isDefault } = loaderData;
  return publicMeta(matches, {
    title: isDefault ? "Results" : `Results of ${formatDate(date, "long")}`,
    description: "Official results of all tracks by day, each with its source, and as a CSV file.",
    path: isDefault ? "/results" : buildResultsPath(date),
  });
}

/** The official results of a day at all tracks. */
export default function Results({ loaderData }: Route.ComponentProps) {
  const { date, today, meetings, neighbours } = loaderData;
  const { earlier, later } = neighbours;
  return (
    <>
      <PageHeading
        kicker="Results"
        lead="Official results only: entered by one person from a named source and confirmed by another."
      >
        {formatDate(date, "long")}
      </PageHeading>
      {meetings.length === 0 ? (
        <EmptyState drawing="post" title={`No racing reported for ${formatDate(date, "long")}`}>
          {date > today
            ? "Results appear here after the races."
            : "No track reported a meeting on this day."}
        </EmptyState>
      ) : (
        <div className="mt-6 grid items-start gap-4 lg:grid-cols-2">
          {meetings.map(({ venue, races, results }) => (
            <OfficialResults
              key={venue.slug}
              title={
                <TextLink
                  to={`/tracks/${venue.slug}`}
                  className="tap text-ink no-underline hover:underline"
                >
                  {venue.name}
                </TextLink>
              }
              aside={`${results.length} of ${races} ${races === 1 ? "race" : "races"}`}
              results={results}
              empty={
                date < addDays(today, -1)
                  ? "No official results for this meeting."
                  : "No official results yet."
              }
              footer={
                <a
                  href={buildResultsPath(date, venue.slug)}
                  className="link tap rounded-sm text-sm"
                  download
                >
                  Download as CSV
                </a>
              }
            />
          ))}
        </div>
      )}
      <Pagination
        label="Other days"
        className="mt-8"
        newerHref={later && (later === today ? "/results" : buildResultsPath(later))}
        newerLabel={later ? formatDate(later, "short") : undefined}
        olderHref={earlier && buildResultsPath(earlier)}
        olderLabel={earlier ? formatDate(earlier, "short") : undefined}
      />
    </>
  );
}
