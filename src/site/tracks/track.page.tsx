import { data, Link, type ShouldRevalidateFunctionArgs } from "react-router";
import { findViewer } from "#accounts/accounts.server.ts";
import { dateAt, timeAt } from "#domain/calendar.ts";
import { findTrack } from "#domain/tracks.ts";
import { now } from "#platform/clock.server.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { findVenue, type RaceDay, readUpcomingRaceDays } from "#racing/racing.server.ts";
import { readRankings } from "#records/records.server.ts";
import { readListedRaceCards } from "#sales/sales.server.ts";
import { RaceCardList } from "#sales/sales.ui.tsx";
import {
  countOnSale,
  listRaceCardsOnSale,
  type PublicTip,
  readPublicTips,
} from "#tips/tips.server.ts";
import { Badge } from "#ui/badge.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { TipsterLink } from "#ui/dialog-link.tsx";
import { isDialogNavigation } from "#ui/dialog-navigation.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { LIST_PATH } from "#ui/list-path.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { Pagination } from "#ui/pagination.tsx";
import { Panel } from "#ui/panel.tsx";
import { Going } from "#ui/racing/going.tsx";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { ResultBadge } from "#ui/racing/result-badge.tsx";
import { ResultBasis } from "#ui/racing/result-basis.tsx";
import { TrackOutline } from "#ui/racing/track-outline.tsx";
import { WeatherIcon } from "#ui/racing/weather-icon.tsx";
import { WinRecord } from "#ui/racing/win-record.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { useMinute } from "#ui/use-minute.ts";
import type { Route } from "./+types/track.page.ts";
import { TrackDetails } from "./track-details.ui.tsx";

const CACHE_SECONDS = 60;
const MAX_RACE_DAYS = 7;
const RESULTS_PER_PAGE = 15;
const BEST_CREATOR_COUNT = 5;

export const handle = { scriptStart: "minute" };

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const at = now();
  const [venue, viewer] = await Promise.all([findVenue(params.slug), findViewer(context)]);
  // findVenue also accepts ids, but the page has one URL.
  if (!venue?.isActive || venue.slug !== params.slug) throw data(null, { status: 404 });
  const cursor = new URL(request.url).searchParams.get("before");
  const [raceDays, { raceCards, next }, results, rankings] = await Promise.all([
    readUpcomingRaceDays(venue.id, dateAt(at), MAX_RACE_DAYS),
    listRaceCardsOnSale({ at, venueId: venue.id }),
    readPublicTips({ at, venueId: venue.id, cursor, limit: RESULTS_PER_PAGE }),
    readRankings(at, { venueId: venue.id }),
  ]);
  const onSale = next ? await countOnSale(at) : null;
  const ofVenue = onSale?.venues.find(({ venueId }) => venueId === venue.id);
  return data(
    {
      readAt: at,
      venue: { slug: venue.slug, name: venue.name, location: venue.location },
      raceDays,
      raceCards: await readListedRaceCards(raceCards, viewer?.id ?? null),
      /** The number of all race cards on sale, of which the list has the next ones. */
      raceCardCount: ofVenue?.raceCards ?? raceCards.length,
      results,
      isFirstPage: cursor === null,
      best: rankings
        .filter((ranking) => ranking.rank !== null)
        .slice(0, BEST_CREATOR_COUNT)
        .map(({ creator: { slug, name, hasOnePersonResults }, tally }) => ({
          slug,
          name,
          hasOnePersonResults,
          tally,
        })),
    },
    viewer ? undefined : { headers: { "Cache-Control": `s-maxage=${CACHE_SECONDS}` } },
  );
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return args.defaultShouldRevalidate && !isDialogNavigation(args);
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { venue } = loaderData;
  return publicMeta(matches, {
    title: `${venue.name} racecourse`,
    description: `${venue.name}, ${venue.location}: track outline and characteristics, upcoming race days, race cards on sale and past tip results.`,
    path: `/tracks/${venue.slug}`,
    imagePath: `/share/tracks/${venue.slug}.png`,
    crumbs: [{ name: "Racing tracks", path: "/racing-tracks" }],
  });
}

export default function TrackPage({ loaderData }: Route.ComponentProps) {
  const {
    readAt,
    venue,
    raceDays,
    raceCards,
    raceCardCount,
    results,
    isFirstPage,
    best: bestCreators,
  } = loaderData;
  const current = useMinute(readAt);
  const track = findTrack(venue.slug);
  return (
    <>
      <PageHeading
        kicker={
          <TextLink to="/racing-tracks" standalone className="no-underline hover:underline">
            Racing tracks
          </TextLink>
        }
        lead={track?.characteristics}
      >
        {venue.name} <span className="text-ink-3">{venue.location}</span>
      </PageHeading>
      <div className="mt-8 grid items-start gap-x-10 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-10">
          <section aria-labelledby="on-sale">
            <SectionHeading id="on-sale" aside={raceCardCount || undefined}>
              Race cards on sale
            </SectionHeading>
            <div className="mt-3">
              {raceCards.length > 0 ? (
                <RaceCardList raceCards={raceCards} readAt={readAt} now={current} />
              ) : (
                <EmptyState
                  compact
                  drawing="raceCard"
                  title={`No race cards on sale for ${venue.name} right now`}
                  action={
                    <ButtonLink to={LIST_PATH} variant="secondary">
                      See all race cards
                    </ButtonLink>
                  }
                />
              )}
            </div>
            {raceCardCount > raceCards.length ? (
              <p className="mt-3">
                <TextLink to={`/?venue=${venue.slug}`} standalone>
                  All {raceCardCount} race cards, day by day
                </TextLink>
              </p>
            ) : null}
          </section>
          <Results results={results} isFirstPage={isFirstPage} venue={venue} />
        </div>
        <aside className="grid min-w-0 items-start gap-6 max-lg:order-first md:max-lg:grid-cols-2">
          {track ? (
            <Panel flush>
              <TrackOutline
                name={venue.name}
                labelled
                className="border-b border-rule px-4 pt-5 pb-2"
              />
              <TrackDetails track={track} className="px-4 py-1" />
              {track.note ? (
                <p className="border-t border-rule px-4 py-3 text-sm text-ink-2">{track.note}</p>
              ) : null}
            </Panel>
          ) : null}
          <div className="flex flex-col gap-6">
            <Panel title="Race days" flush>
              <RaceDays raceDays={raceDays} now={current} />
            </Panel>
            {bestCreators.length > 0 ? (
              <Panel
                title={`Best records at ${venue.name}`}
                flush
                footer={
                  <TextLink to={`/leaderboard?venue=${venue.slug}`} standalone className="text-sm">
                    See full ranking
                  </TextLink>
                }
              >
                <ol className="divide-y divide-rule">
                  {bestCreators.map(({ slug, name, hasOnePersonResults, tally }, index) => (
                    <li key={slug} className="flex items-baseline gap-3 px-4 py-2.5 text-sm">
                      <span className="w-4 font-cond text-base font-bold text-ink-2">
                        {index + 1}
                      </span>
                      <TipsterLink
                        slug={slug}
                        className="tap min-w-0 flex-1 font-semibold no-underline hover:underline"
                      >
                        <span className="block truncate">{name}</span>
                      </TipsterLink>
                      <WinRecord
                        settledTips={tally.settled}
                        wonTips={tally.won}
                        hasOnePersonResults={hasOnePersonResults}
                      />
                    </li>
                  ))}
                </ol>
              </Panel>
            ) : null}
          </div>
        </aside>
      </div>
    </>
  );
}

function RaceDays({ raceDays, now: current }: { raceDays: readonly RaceDay[]; now: Date }) {
  if (raceDays.length === 0) {
    return (
      <p className="px-4 py-4 text-sm text-ink-2">
        No race days reported yet. A race card can still be on sale, with times given by the
        tipster.
      </p>
    );
  }
  return (
    <ol className="divide-y divide-rule">
      {raceDays.map((day) => {
        const remainingRaces = day.offTimes.filter((off) => off.offAt > current).length;
        const [firstOff] = day.offTimes;
        const lastOff = day.offTimes.at(-1);
        return (
          <li key={day.raceDate} className="px-4 py-3 text-sm">
            <div className="flex items-baseline justify-between gap-3">
              <RaceDate date={day.raceDate} className="font-semibold" />
              <span className="text-ink-2">
                {firstOff && lastOff ? (
                  <>
                    {day.offTimes.length} races,{" "}
                    <span className="font-cond text-base font-semibold text-ink">
                      {timeAt(firstOff.offAt)}–{timeAt(lastOff.offAt)}
                    </span>
                  </>
                ) : (
                  "times not reported"
                )}
              </span>
            </div>
            {firstOff && remainingRaces < day.offTimes.length ? (
              <p className="text-xs text-ink-2">
                {remainingRaces === 0
                  ? "Racing is over"
                  : `${day.offTimes.length - remainingRaces} of ${day.offTimes.length} races run`}
              </p>
            ) : null}
            <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-2">
              <Going going={day.going} />
              {day.weather ? (
                <span className="inline-flex items-center gap-1.5">
                  <WeatherIcon weather={day.weather} labelled={false} className="size-4" />
                  {day.weatherDescription ?? day.weather}
                  {day.temperatureCelsius === null ? null : `, ${day.temperatureCelsius}°`}
                </span>
              ) : (
                <span className="text-ink-3">Weather not reported</span>
              )}
            </div>
            {day.going || day.weather ? (
              <p className="mt-1 text-2xs text-ink-3">
                {day.source}, <DateTime at={day.reportedAt} />
              </p>
            ) : null}
          </li>
        );
      })}
    </ol>
  );
}

const TYPE_LABELS = { win: "Win", place: "Place", "each-way": "Each way" };

const columns: readonly TableColumn<PublicTip>[] = [
  {
    key: "horse",
    header: "Selection",
    isRowHeader: true,
    cell: (tip) => (
      <span className="flex min-w-0 items-center gap-2.5">
        <NumberCloth number={tip.horseNumber} kind="saddle" size="small" />
        <span className="min-w-0 font-cond text-lg leading-6">{tip.horseName}</span>
      </span>
    ),
  },
  {
    key: "race",
    header: "Race",
    narrowLine: 2,
    isLabelHidden: true,
    cell: (tip) => (
      <Link
        to={`/race-cards/${tip.raceCardId}`}
        className="tap text-ink no-underline hover:underline"
      >
        <RaceDate date={tip.raceDate} hasShortForm />, <span className="sm:hidden">R</span>
        <span className="max-sm:hidden">race </span>
        {tip.raceNumber}
      </Link>
    ),
  },
  {
    key: "tipster",
    header: "Tipster",
    narrowLine: 2,
    isUserText: true,
    isLabelHidden: true,
    cell: (tip) => (
      <TipsterLink slug={tip.creatorSlug} className="tap text-ink no-underline hover:underline">
        {tip.creatorName}
      </TipsterLink>
    ),
  },
  {
    key: "type",
    header: "Type",
    narrowLine: 2,
    isLabelHidden: true,
    cell: (tip) => (
      <>
        {TYPE_LABELS[tip.tipType]}
        {tip.isLate ? <span className="text-ink-3"> (late)</span> : null}
      </>
    ),
  },
  {
    key: "published",
    header: "Published",
    narrowLine: 2,
    cell: (tip) => <DateTime at={tip.publishedAt} hasShortForm />,
  },
  {
    key: "result",
    header: "Result",
    narrowLine: 1,
    align: "right",
    cell: (tip) =>
      tip.isResultOverdue ? (
        <Badge tone="warn">Unmarked</Badge>
      ) : (
        <>
          <ResultBadge result={tip.result} />
          <ResultBasis result={tip.result} basis={tip} />
        </>
      ),
  },
];

function Results({
  results,
  isFirstPage,
  venue,
}: Pick<Route.ComponentProps["loaderData"], "results" | "isFirstPage" | "venue">) {
  const path = `/tracks/${venue.slug}`;
  return (
    <section aria-labelledby="results">
      <SectionHeading
        id="results"
        aside={<TextLink to="/results">Official results</TextLink>}
        lead="Each selection becomes public with the official result of its race, at midnight after the race day at the latest, winners and losers alike."
      >
        Past tips and results
      </SectionHeading>
      <Table
        className="mt-2"
        caption={`Past tips at ${venue.name}`}
        fitsFrom="48rem"
        columns={columns}
        rows={results.tips}
        rowKey={(tip) => tip.id}
        empty={
          <EmptyState compact drawing="post" title="No results yet">
            Results appear here once a race has an official result.
          </EmptyState>
        }
      />
      <Pagination
        label="Past tips"
        className="mt-4"
        newerHref={isFirstPage ? null : `${path}#results`}
        newerLabel="Newest"
        olderHref={results.next ? `${path}?before=${results.next}#results` : null}
      />
    </section>
  );
}
