import { data, Form, redirect } from "react-router";
import { readListParams, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { ListPagination } from "#admin-kit/admin-kit.ui.tsx";
import {
  dateAt,
  isCalendarDate,
  isYearsAway,
  timeAt,
  YEARS_AWAY_MESSAGE,
} from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Going } from "#ui/racing/going.tsx";
import { DateTime, RaceDate, RaceTime } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { listRaceDays } from "../race-days.server.ts";
import { findAnyVenue } from "../venues.server.ts";
import type { Route } from "./+types/race-days.page.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Race days, Admin",
    description: "The race days of a venue.",
    isPrivate: true,
  });

export async function loader({ request, params, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const venue = isId(params.venueId) ? await findAnyVenue(params.venueId) : null;
  if (!venue) throw data(null, { status: 404 });
  const { readText, cursor } = readListParams(request);
  const today = dateAt(now());
  const date = readText("date");
  const problem =
    date === null
      ? null
      : !isCalendarDate(date)
        ? "Race date must be an existing date"
        : isYearsAway(date, today)
          ? YEARS_AWAY_MESSAGE
          : null;
  if (date !== null && !problem) throw redirect(`/admin/venues/${venue.id}/race-days/${date}`);
  const { raceDays, next } = await listRaceDays(venue.id, {
    before: cursor && isCalendarDate(cursor) ? cursor : null,
  });
  return { venue, today, date, problem, raceDays, next };
}

type ListedRaceDay = Route.ComponentProps["loaderData"]["raceDays"][number];

/** Admin list of a venue's race days. */
export default function RaceDays({ loaderData }: Route.ComponentProps) {
  const { venue, today, date, problem, raceDays, next } = loaderData;
  return (
    <div className="grid gap-5">
      <div>
        <TextLink to="/admin/venues" standalone className="text-sm">
          All venues
        </TextLink>
        <SectionHeading
          className="mt-2"
          lead='Off times decide when a race card goes off sale and when its tips can be settled. Going and weather are shown with their source, or as "not reported".'
        >
          Race days at {venue.name}
        </SectionHeading>
      </div>
      <Form method="get" className="flex flex-wrap items-end gap-2">
        <TextField
          label="Race date"
          name="date"
          type="date"
          required
          defaultValue={date ?? today}
          error={problem ?? undefined}
          className="w-44"
        />
        <Button type="submit">Enter race day</Button>
      </Form>
      <Table
        caption={`Race days at ${venue.name}`}
        columns={createColumns(venue.id, today)}
        rows={raceDays}
        rowKey={(day) => day.raceDate}
        empty={
          <EmptyState compact drawing="raceCard" title="No race days found">
            Choose a date above to enter a race day.
          </EmptyState>
        }
      />
      <ListPagination label="Race days" nextCursor={next} />
    </div>
  );
}

function createColumns(venueId: string, today: string): readonly TableColumn<ListedRaceDay>[] {
  return [
    {
      key: "date",
      header: "Race date",
      isRowHeader: true,
      cell: (day) => (
        <span className="inline-flex items-center gap-2">
          <TextLink to={`/admin/venues/${venueId}/race-days/${day.raceDate}`} standalone>
            <RaceDate date={day.raceDate} style="short" />
          </TextLink>
          {day.raceDate === today ? <Badge tone="solid">Today</Badge> : null}
        </span>
      ),
    },
    { key: "races", header: "Races", align: "right", cell: (day) => day.offTimes.length },
    { key: "offTimes", header: "First and last off", cell: (day) => <OffTimeRange day={day} /> },
    { key: "going", header: "Going", cell: (day) => <Going going={day.going} /> },
    {
      key: "weather",
      header: "Weather",
      cell: (day) => day.weather ?? <span className="text-ink-3">not reported</span>,
    },
    {
      key: "source",
      header: "Source",
      cell: (day) => (
        <span className="grid justify-items-end @3xl:justify-items-start">
          {day.source}
          <DateTime at={day.reportedAt} className="text-xs text-ink-2" />
        </span>
      ),
    },
  ];
}

function OffTimeRange({ day }: { day: ListedRaceDay }) {
  const first = day.offTimes[0];
  const last = day.offTimes.at(-1);
  if (!first || !last) return <span className="text-ink-3">not reported</span>;
  return (
    <span>
      <RaceTime time={timeAt(first.offAt)} date={day.raceDate} />
      {" to "}
      <RaceTime time={timeAt(last.offAt)} date={day.raceDate} />
    </span>
  );
}
