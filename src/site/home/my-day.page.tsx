import { randomUUID } from "node:crypto";
import { data, Link, type ShouldRevalidateFunctionArgs } from "react-router";
import { requireViewer } from "#accounts/accounts.server.ts";
import { dateAt, formatDate } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { MY_DAY_PATH, OFFLINE_COPY_HEADERS } from "#platform/offline.ts";
import { readPublicResults } from "#racing/racing.server.ts";
import { readMyDay, readOpenedCreators } from "#sales/sales.server.ts";
import {
  countResults,
  describeTally,
  FinishedRaces,
  groupByRace,
  LaterRaces,
  NextOff,
  RaceCardRows,
  splitRaces,
} from "#sales/sales.ui.tsx";
import { readNotes } from "#tips/tips.server.ts";
import { NoteList } from "#tips/tips.ui.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { isDialogNavigation } from "#ui/dialog-navigation.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { CardPrice } from "#ui/prices.ts";
import { SilkSheet } from "#ui/racing/silks.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { useMinute } from "#ui/use-minute.ts";
import { useMinuteRefresh } from "#ui/use-minute-refresh.ts";
import type { Route } from "./+types/my-day.page.ts";
import { formatCount, formatDay } from "./list-chips.ui.tsx";
import { buildListPath, parseListFilter } from "./list-filter.ts";
import { toListedRow } from "./list-rows.server.ts";
import { readRowsOfDay } from "./read-home-preview.server.ts";

const MAX_OFFERS = 12;

export async function loader({ context, request }: Route.LoaderArgs) {
  const viewer = await requireViewer(context, request);
  const at = now();
  const today = dateAt(at);
  const filter = { ...parseListFilter(new URLSearchParams(), today), day: today };
  const [{ raceCards, selections }, onSale, creators] = await Promise.all([
    readMyDay(viewer.id, today),
    readRowsOfDay(today, at),
    readOpenedCreators(viewer.id),
  ]);
  const notes = await readNotes(raceCards.map(({ id }) => id));
  const opened = new Set(raceCards.map(({ id }) => id));
  const venues = new Map(raceCards.map(({ venue }) => [venue.id, venue]));
  const requestId = randomUUID();
  const rows = onSale.rows
    .filter(({ raceCard }) => !opened.has(raceCard.id))
    .toSorted((a, b) => Number(creators.has(b.creatorId)) - Number(creators.has(a.creatorId)));
  const page = {
    readAt: at,
    today,
    raceCardCount: raceCards.length,
    days: onSale.days
      .filter(({ date, count }) => date === today || count > 0)
      .slice(0, 2)
      .map(({ date, count }) => ({ date, count, path: buildListPath({ ...filter, day: date }) })),
    selections,
    notes: notes.map((note) => {
      const tip = selections.find(({ raceCardId }) => raceCardId === note.raceCardId);
      return { ...note, from: `${tip?.tipsterName}, ${tip?.venueName}` };
    }),
    meetings: await Promise.all(
      [...venues.values()].map(async ({ id, name }) => ({
        venueName: name,
        results: await readPublicResults({ venueId: id, raceDate: today }),
      })),
    ),
    offers: rows
      .slice(0, MAX_OFFERS)
      .map((row) => toListedRow(row, { viewerId: viewer.id, opened, requestId })),
  };
  return data(page, { headers: OFFLINE_COPY_HEADERS });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return args.defaultShouldRevalidate && !isDialogNavigation(args);
}

export const meta = () =>
  pageMeta({
    title: "My day",
    description: "Your opened race cards of today, race by race.",
    isPrivate: true,
  });

/** The viewer's opened race cards of today, race by race. */
export default function MyDayPage({ loaderData }: Route.ComponentProps) {
  const { readAt, today, selections, notes, meetings, offers } = loaderData;
  const currentTime = useMinute(readAt);
  const races = splitRaces(groupByRace(selections), today, currentTime);
  const tally = countResults(races.run.flatMap((race) => race.selections));
  useMinuteRefresh(currentTime, tally.waiting > 0);
  const isOver = races.run.length > 0 && races.next.length + races.later.length === 0;
  const finishedRaces = (
    <FinishedRaces races={races.run} date={today} meetings={meetings} isOpen={isOver} />
  );
  const silkNames = offers.flatMap(({ raceCard: { creator } }) =>
    creator.photo ? [] : [creator.name],
  );
  return (
    <SilkSheet names={silkNames}>
      <DayChips {...loaderData} />
      <div className="mx-auto max-w-6xl sm:px-6">
        <h1 className="px-4 pt-3 pb-1 font-cond text-xl font-bold sm:px-0">
          {isOver ? `Your day: ${describeTally(tally)}` : `My day, ${formatDate(today, "short")}`}
        </h1>
        {selections.length === 0 ? (
          <>
            <EmptyState
              drawing="raceCard"
              title="You haven't opened a race card for today"
              action={<ButtonLink to="/my-cards">See my cards</ButtonLink>}
            >
              Open one for <CardPrice /> and its selections are listed here, race by race.
            </EmptyState>
            <Offers offers={offers} now={currentTime} />
          </>
        ) : (
          <div className="grid items-start gap-x-6 lg:grid-cols-2">
            <div className="min-w-0">
              <div className="px-4 sm:px-0">
                <NoteList notes={notes} heading="Notes from your tipsters" />
              </div>
              {isOver ? (
                finishedRaces
              ) : (
                <>
                  <NextOff races={races.next} readAt={readAt} />
                  <LaterRaces races={races.later} date={today} />
                </>
              )}
            </div>
            <div className="min-w-0">
              {isOver ? null : finishedRaces}
              <Offers offers={offers} now={currentTime} />
            </div>
          </div>
        )}
        <p className="mt-6 px-4 sm:px-0">
          <TextLink to="/my-cards" standalone>
            All my cards
          </TextLink>
        </p>
      </div>
    </SilkSheet>
  );
}

/** The other race cards on sale today. */
function Offers({
  offers,
  now,
}: Pick<Route.ComponentProps["loaderData"], "offers"> & { now: Date }) {
  if (offers.length === 0) return null;
  return (
    <section aria-labelledby="offers">
      <div className="group-head">
        <h2 id="offers">Also on sale today</h2>
        <p>your tipsters first</p>
      </div>
      <RaceCardRows
        rows={offers}
        now={now}
        level={3}
        getTexts={({ raceCard }) => ({ note: raceCard.venueName })}
      />
    </section>
  );
}

/** Links to the race cards on sale and to the results of the day. */
function DayChips({ raceCardCount, days, today }: Route.ComponentProps["loaderData"]) {
  const chips = [
    { to: MY_DAY_PATH, label: "My day", note: formatCount(raceCardCount) },
    ...days.map(({ date, count, path }) => ({
      to: path,
      label: date === today ? "On sale" : formatDay(date, today),
      note: formatCount(count),
    })),
    { to: "/results", label: "Results", note: "all tracks" },
  ];
  return (
    <nav
      aria-label="Select a page of the day"
      className="sticky top-13 z-10 border-b border-rule bg-paper sm:top-14"
    >
      <div className="mx-auto flex max-w-6xl flex-wrap gap-x-1.5 gap-y-2 px-4 py-1.5 sm:px-6 sm:py-2">
        {chips.map(({ to, label, note }) => (
          <Link
            key={label}
            to={to}
            aria-current={to === MY_DAY_PATH ? "true" : undefined}
            className="chip"
          >
            <b>{label}</b>
            <span>{note}</span>
          </Link>
        ))}
      </div>
    </nav>
  );
}
