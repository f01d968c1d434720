import { randomUUID } from "node:crypto";
import { useEffect, useRef } from "react";
import {
  data,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigationType,
} from "react-router";
import { findViewer } from "#accounts/accounts.server.ts";
import { dateAt, formatDate, timeAt } from "#domain/calendar.ts";
import { CARD_PRICE_COINS, formatCoins, formatRand } from "#domain/coins.ts";
import { now } from "#platform/clock.server.ts";
import { MY_DAY_PATH } from "#platform/offline.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { countOpenedForDay, findOpenedCards } from "#sales/sales.server.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { Countdown } from "#ui/countdown.tsx";
import { isDialogNavigation } from "#ui/dialog-navigation.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { CardPrice } from "#ui/prices.ts";
import { LastResults } from "#ui/racing/last-results.tsx";
import { SilkSheet } from "#ui/racing/silks.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { STALE_MS } from "#ui/stale-ms.ts";
import { StatRow } from "#ui/stat.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { useMinute } from "#ui/use-minute.ts";
import { useRefresh } from "#ui/use-refresh.ts";
import { readLayoutPrices } from "../layout/read-layout-prices.ts";
import type { Route } from "./+types/home.page.ts";
import { GuestHero } from "./guest-hero.ui.tsx";
import { HomeSlides } from "./home-slides.ui.tsx";
import { formatCount, formatDayInText, ListChips } from "./list-chips.ui.tsx";
import { buildListPath, parseListFilter } from "./list-filter.ts";
import { toListedRow } from "./list-rows.server.ts";
import { findNextOff, type HomeRow, RaceCardGroups } from "./race-card-groups.ui.tsx";
import { readHomePreview } from "./read-home-preview.server.ts";
import { TipsterBoard } from "./tipster-board.ui.tsx";
import { VenueGrid } from "./venue-grid.ui.tsx";

/** How long the page cache may serve a guest's page to other guests. */
const CACHE_SECONDS = 20;

export const handle = { scriptStart: "next-off" };

export async function loader({ context, request }: Route.LoaderArgs) {
  const at = now();
  const filter = parseListFilter(new URL(request.url).searchParams, dateAt(at));
  const [viewer, preview] = await Promise.all([
    findViewer(context),
    readHomePreview({ at, filter }),
  ]);
  const [opened, myDayCount] = viewer
    ? await Promise.all([
        findOpenedCards(
          viewer.id,
          preview.groups.flatMap(({ rows }) => rows.map(({ raceCard }) => raceCard.id)),
        ),
        countOpenedForDay(viewer.id, dateAt(at)),
      ])
    : [new Set<string>(), 0];
  const listViewer = {
    viewerId: viewer?.id ?? null,
    opened,
    requestId: randomUUID(),
  };
  if (myDayCount > 0 && !new URL(request.url).search) throw redirect(MY_DAY_PATH);
  const page = {
    ...preview,
    isGuest: viewer === null,
    myDayCount,
    groups: preview.groups.map(({ venue, rows }) => ({
      venue,
      rows: rows.map((row) => toListedRow(row, listViewer)),
    })),
  };
  return viewer
    ? data(page)
    : data(page, { headers: { "Cache-Control": `public, s-maxage=${CACHE_SECONDS}` } });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return args.defaultShouldRevalidate && !isDialogNavigation(args);
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  publicMeta(matches, {
    path: "/",
    title: loaderData?.venue
      ? `Race cards for ${loaderData.venue.name}`
      : "Racing tips by the race card",
    description: `South African horse-racing tips by the race card. ${formatCoins(CARD_PRICE_COINS)} (${formatRand(readLayoutPrices(matches).cardCents)}) open all of one tipster's tips for a day at one track. Public records, no subscription.`,
  });

export default function Home({ loaderData }: Route.ComponentProps) {
  const {
    readAt,
    today,
    date,
    filter,
    venues,
    venue,
    leftToday,
    groups,
    board,
    isGuest,
    myDayCount,
  } = loaderData;
  const current = useMinute(readAt);
  useStaleRefresh(readAt);
  useListFocus();
  const rows = groups.flatMap((group) => group.rows);
  const silkNames = [
    ...rows.map(({ raceCard }) => raceCard.creator),
    ...board.rows.map((row) => ({ name: nameOf(row), photo: row.photo })),
  ].flatMap(({ name, photo }) => (photo ? [] : [name]));
  const dayName = formatDayInText(date, today);
  return (
    <SilkSheet names={silkNames}>
      {isGuest ? <GuestHero dayName={dayName} summary={loaderData.summary} /> : null}
      <ListChips {...loaderData} />
      <div className="mx-auto grid max-w-6xl items-start gap-x-6 gap-y-10 sm:px-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="min-w-0">
          {isGuest ? null : (
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 pt-3 sm:px-0">
              <h1 className="font-cond text-xl font-bold">{formatDate(date, "long")}</h1>
              {myDayCount > 0 ? (
                <TextLink to={MY_DAY_PATH} className="tap text-sm">
                  My day, {formatCount(myDayCount)}
                </TextLink>
              ) : null}
            </div>
          )}
          <section aria-labelledby="race-cards">
            <h2 id="race-cards" className="sr-only scroll-mt-32">
              {`Race cards for ${[venue?.name, dayName].filter(Boolean).join(", ")}`}
            </h2>
            {rows.length > 0 ? (
              <RaceCardGroups
                groups={groups}
                readAt={readAt}
                now={current}
                orderLabel={ORDER_LABELS[filter.sort]}
              />
            ) : (
              <NoRaceCards {...loaderData} />
            )}
            {rows.length > 0 ? <Legend /> : null}
            {rows.some(hasMark) ? (
              <p className="px-4 pt-2 text-xs text-ink-3 sm:px-0">
                * The record includes results entered by one person.
              </p>
            ) : null}
            <MoreRaceCards {...loaderData} />
          </section>
          <div className="mt-10 px-4 sm:px-0">
            <VenueGrid venues={venues} current={venue?.slug ?? null} now={current} />
          </div>
          {isGuest ? <HomeSlides className="mt-10 sm:rounded-md" /> : null}
        </div>
        <aside className="flex flex-col gap-8 px-4 sm:px-0 lg:sticky lg:top-32 lg:mt-6">
          <section aria-labelledby="today">
            <SectionHeading id="today">Today's Racing</SectionHeading>
            <NextOffClock rows={rows} readAt={readAt} now={current} />
            <StatRow
              className="mt-3"
              stats={[
                {
                  label: leftToday.tips === 1 ? "tip available" : "tips available",
                  value: leftToday.tips,
                },
                {
                  label: leftToday.venues === 1 ? "venue" : "venues",
                  value: leftToday.venues,
                },
              ]}
            />
          </section>
          <TipsterBoard board={board} filter={filter} />
          {isGuest ? <HowItWorks /> : null}
        </aside>
      </div>
    </SilkSheet>
  );
}

/** Explains the bars and squares of the rows. */
function Legend() {
  return (
    <div aria-hidden="true" className="@container">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-2 text-xs text-ink-2 sm:px-0">
        {/* Rows of this width have no bars. */}
        <span className="inline-flex items-center gap-1.5 @min-[40rem]:@max-[47rem]:hidden">
          <LastResults results="LW" /> last 10 tips, lost and won
        </span>
        <span className="inline-flex items-center gap-1.5">
          <span className="race-squares shrink-0">
            <i className="high">1</i>
            <i className="medium">2</i>
            <i className="low">3</i>
          </span>
          races with HIGH, MEDIUM and LOW confidence
        </span>
      </p>
    </div>
  );
}

type HomeProps = Route.ComponentProps["loaderData"];

const ORDER_LABELS = {
  soonest: "Next off first",
  record: "Best record first",
  here: "Best at the track first",
  confidence: "Most HIGH tips first",
};

function nameOf(row: HomeProps["board"]["rows"][number]): string {
  return "name" in row ? row.name : row.displayName;
}

function hasMark({ raceCard: { creator } }: HomeRow): boolean {
  return creator.hasOnePersonResults && creator.record.settled > 0;
}

/** The next off of the listed race cards, counting down. */
function NextOffClock({
  rows,
  readAt,
  now,
}: {
  rows: readonly HomeRow[];
  readAt: Date;
  now: Date;
}) {
  const next = findNextOff(rows, now);
  if (!next) return null;
  return (
    <p className="mt-2 hidden items-baseline justify-between gap-3 text-sm text-ink-2 lg:flex">
      <span>
        {`Next off: ${next.venueName}, race ${next.raceNumber} at `}
        <b className="font-cond text-ink">{timeAt(next.offAt)}</b>
      </span>
      <Countdown
        until={next.offAt.toISOString()}
        now={readAt.toISOString()}
        className="shrink-0 text-base text-ink"
      />
    </p>
  );
}

function HowItWorks() {
  return (
    <section aria-labelledby="how" className="max-lg:hidden">
      <SectionHeading
        id="how"
        aside={
          <TextLink to="/how-it-works" standalone>
            All steps
          </TextLink>
        }
      >
        How it works
      </SectionHeading>
      <ol className="mt-2 list-decimal pl-5 text-sm text-ink-2">
        <li>Compare records. Losers stay in.</li>
        <li>
          Open a race card for <CardPrice />.
        </li>
        <li>Read every selection with its reasons. Yours to keep.</li>
      </ol>
    </section>
  );
}

/** Links to the other pages of the list and to the race cards of the next day. */
function MoreRaceCards({ filter, pageCount, days, date, today }: HomeProps) {
  const nextDay = days.find((day) => day.date > date && day.count > 0);
  const pagePath = (page: number) => `${buildListPath({ ...filter, page })}#race-cards`;
  return (
    <nav aria-label="More race cards" className="mt-4 flex flex-wrap justify-center gap-3 px-4">
      {filter.page > 1 ? (
        <ButtonLink to={pagePath(filter.page - 1)} variant="secondary" rel="prev">
          Previous race cards
        </ButtonLink>
      ) : null}
      {filter.page < pageCount ? (
        <ButtonLink to={pagePath(filter.page + 1)} variant="secondary" rel="next">
          More race cards
        </ButtonLink>
      ) : null}
      {nextDay ? (
        <ButtonLink to={`${nextDay.path}#race-cards`} variant="secondary">
          {`${nextDay.count} more ${formatDayInText(nextDay.date, today)}`}
        </ButtonLink>
      ) : null}
      <ButtonLink to="/results" variant="secondary">
        Results
      </ButtonLink>
    </nav>
  );
}

/** Says why the list is empty and links to a list that is not. */
function NoRaceCards({ venue, date, today, days, filter }: HomeProps) {
  const dayName = formatDayInText(date, today);
  const nextDay = days.find((day) => day.count > 0);
  const where = venue ? ` for ${venue.name}` : "";
  return (
    <EmptyState
      drawing="raceCard"
      title={
        nextDay ? `No race cards${where}, ${dayName}` : `No race cards on sale${where} right now`
      }
      action={
        nextDay ? (
          <ButtonLink to={`${nextDay.path}#race-cards`} variant="secondary">
            See {formatDayInText(nextDay.date, today)}
          </ButtonLink>
        ) : venue ? (
          <ButtonLink
            to={`${buildListPath({ ...filter, venue: null, day: null, page: 1 })}#race-cards`}
            variant="secondary"
          >
            See all tracks
          </ButtonLink>
        ) : null
      }
    >
      Tipsters can publish up to 14 days before a meeting. Check back later.
    </EmptyState>
  );
}

/** Reloads the page's data when it is stale, on load and when the tab becomes visible. */
function useStaleRefresh(readAt: Date) {
  const reload = useRefresh();
  // Compared with the viewer's clock, which may be wrong, only once: a reload would not make the page look fresher.
  const isFirstLoad = useRef(true);
  useEffect(() => {
    let loadedAt = Date.now();
    const refresh = () => {
      loadedAt = Date.now();
      void reload();
    };
    if (isFirstLoad.current && loadedAt - readAt.getTime() > STALE_MS) refresh();
    isFirstLoad.current = false;
    const onVisible = () => {
      if (document.visibilityState === "visible" && Date.now() - loadedAt > STALE_MS) refresh();
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [readAt, reload]);
}

/** Moves the focus to the list when a link to `#race-cards` is followed. */
function useListFocus() {
  const { hash, key } = useLocation();
  const isPushed = useNavigationType() === "PUSH";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per navigation
  useEffect(() => {
    const heading = isPushed && hash === "#race-cards" && document.getElementById("race-cards");
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [key]);
}
