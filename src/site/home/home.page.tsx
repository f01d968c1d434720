import { randomUUID } from "node:crypto";
import { useEffect } from "react";
import {
  data,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigationType,
} from "react-router";
import { dateAt, formatDate } from "#domain/calendar.ts";
import { CARD_PRICE_LABEL } from "#domain/coins.ts";
import { findViewer } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { readOpenedTips, toListedRaceCard } from "#sales/sales.server.ts";
import { MoreRaceCards, RaceCardList } from "#sales/sales.ui.tsx";
import { Standings, useLiveStandings } from "#standings/standings.ui.tsx";
import { isDialogNavigation } from "#ui/dialog-navigation.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { useMinute } from "#ui/hooks/use-minute.ts";
import { useRefresh } from "#ui/hooks/use-refresh.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { StatRow } from "#ui/stat.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/home.page.ts";
import { findHomeInput } from "./home-input.server.ts";
import { HomeSlides } from "./home-slides.ui.tsx";
import { readHomePreview } from "./read-home-preview.server.ts";
import { VenueGrid } from "./venue-grid.ui.tsx";

/** How long the page cache may serve a guest's page to other guests. */
const CACHE_SECONDS = 20;
/** The age at which the browser reloads the page's data. */
const STALE_MS = 90_000;

export async function loader({ context, request }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams;
  const input = findHomeInput(context);
  const [viewer, preview] = await Promise.all([
    findViewer(context),
    input?.preview ??
      readHomePreview({ at: now(), venue: params.get("venue"), after: params.get("after") }),
  ]);
  const opened = viewer
    ? (input?.opened ??
      (await readOpenedTips(
        viewer.id,
        preview.raceCards.map((raceCard) => raceCard.id),
      )))
    : null;
  const requestId = input?.requestId ?? randomUUID();
  const page = {
    ...preview,
    raceCards: preview.raceCards.map((raceCard) =>
      toListedRaceCard(raceCard, { viewerId: viewer?.id ?? null, opened, requestId }),
    ),
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
    description:
      "South African horse-racing tips by the race card. 4 coins (R40) open all of one tipster's tips for a day at one track. Public records, no subscription.",
  });

export default function Home({ loaderData }: Route.ComponentProps) {
  const { readAt, venues, venue, leftToday, raceCards, next, isFirst } = loaderData;
  const current = useMinute(readAt);
  useStaleRefresh(readAt);
  useListFocus();
  return (
    <>
      <div className="bg-header">
        <HomeSlides className="mx-auto max-w-6xl" />
      </div>
      <div className="mx-auto max-w-6xl px-4 sm:px-6">
        <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-1 pt-5 pb-4 sm:pt-6 sm:pb-5">
          <h1 className="font-cond text-2xl font-bold tracking-[-0.015em] sm:text-3xl">
            {formatDate(dateAt(current), "long")}
          </h1>
          <p className="text-sm text-ink-2">
            South African racing tips by the race card: {CARD_PRICE_LABEL.replaceAll(" ", "\u00a0")}{" "}
            for one tipster's day at one track.
          </p>
        </header>
        <VenueGrid venues={venues} current={venue?.slug ?? null} now={current} />
        <div className="mt-10 grid items-start gap-x-8 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <section aria-labelledby="race-cards" className="min-w-0">
            <SectionHeading
              id="race-cards"
              aside={
                venue ? (
                  <TextLink to="/" preventScrollReset standalone>
                    All Venues
                  </TextLink>
                ) : (
                  "Next off first"
                )
              }
            >
              {venue ? `Race cards for ${venue.name}` : "Race cards on sale"}
            </SectionHeading>
            <div className="mt-3">
              {raceCards.length > 0 ? (
                <RaceCardList raceCards={raceCards} readAt={readAt} now={current} />
              ) : (
                <NoRaceCards venue={venue?.name} isFirst={isFirst} />
              )}
              <MoreRaceCards
                next={next}
                isFirst={isFirst}
                search={venue ? `venue=${venue.slug}` : ""}
              />
            </div>
          </section>
          <aside className="flex flex-col gap-10 lg:sticky lg:top-20">
            <section aria-labelledby="today">
              <SectionHeading id="today">Today's Racing</SectionHeading>
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
            <SalesStandings standings={loaderData.standings} />
          </aside>
        </div>
      </div>
    </>
  );
}

type StandingsProps = Pick<Route.ComponentProps["loaderData"], "standings">;

function SalesStandings({ standings }: StandingsProps) {
  return (
    <section aria-labelledby="leaderboard">
      <SectionHeading
        id="leaderboard"
        aside={
          <TextLink to="/leaderboard" standalone>
            Rank by win rate
          </TextLink>
        }
        lead="Ranked by sales, not results. Score = sales × 50 + coins earned × 5 + tips × 20."
      >
        Tipster Leaderboard
      </SectionHeading>
      <div className="mt-2">
        <Standings rows={useLiveStandings(standings)} />
      </div>
    </section>
  );
}

function NoRaceCards({ venue, isFirst }: { venue?: string; isFirst: boolean }) {
  if (!isFirst) {
    return (
      <EmptyState compact drawing="raceCard" title="That's every race card">
        There are no more on sale right now.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      drawing="raceCard"
      title={venue ? `No race cards on sale for ${venue}` : "No race cards on sale right now"}
      action={venue ? <TextLink to="/">See all venues</TextLink> : null}
    >
      Tipsters can publish up to 14 days before a meeting. Check back later.
    </EmptyState>
  );
}

/** Reloads the page's data when it is stale, on load and when the tab becomes visible. */
function useStaleRefresh(readAt: Date) {
  const reload = useRefresh();
  useEffect(() => {
    let loadedAt = Date.now();
    const refresh = () => {
      loadedAt = Date.now();
      void reload();
    };
    if (loadedAt - readAt.getTime() > STALE_MS) refresh();
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
