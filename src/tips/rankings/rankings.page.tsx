import { data, Form, type ShouldRevalidateFunctionArgs, useNavigation } from "react-router";
import { dateAt } from "#domain/calendar.ts";
import { TIP_TYPES } from "#domain/tip.ts";
import { MIN_SETTLED_FOR_LEVEL } from "#domain/track-record.ts";
import { now } from "#platform/clock.server.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { listVenues } from "#racing/racing.server.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { DialogLink } from "#ui/dialog-link.tsx";
import { isDialogNavigation } from "#ui/dialog-navigation.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { Panel } from "#ui/panel.tsx";
import { WinRecord } from "#ui/racing/win-record.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { type Ranking, readRankings } from "../read-rankings.server.ts";
import type { Route } from "./+types/rankings.page.ts";
import {
  listRankingPeriods,
  parsePage,
  parseRankingFilter,
  toDateRange,
} from "./ranking-filter.ts";
import { WinRateIntervalBar } from "./win-rate-interval-bar.ui.tsx";

const CACHE_SECONDS = 60;
const PER_PAGE = 50;

export async function loader({ request }: Route.LoaderArgs) {
  const at = now();
  const today = dateAt(at);
  const venues = await listVenues();
  const search = new URL(request.url).searchParams;
  const filter = parseRankingFilter(search, { today, venues });
  const rankings = await readRankings(at, {
    ...toDateRange(filter.period, today),
    venueId: venues.find((venue) => venue.slug === filter.venue)?.id,
    tipType: filter.type || null,
  });
  const pageCount = Math.max(1, Math.ceil(rankings.length / PER_PAGE));
  const page = Math.min(parsePage(search), pageCount);
  return data(
    {
      filter,
      page,
      pageCount,
      periods: listRankingPeriods(today),
      venues: venues.map(({ slug, name }) => ({ slug, name })),
      rankings: rankings.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(toListedRanking),
    },
    { headers: { "Cache-Control": `s-maxage=${CACHE_SECONDS}` } },
  );
}

/** Returns a ranking with only the creator fields that the page shows. */
function toListedRanking({
  creator: { slug, name, kind, profileImage, hasOnePersonResults },
  ...ranking
}: Ranking) {
  return { ...ranking, creator: { slug, name, kind, profileImage, hasOnePersonResults } };
}

type ListedRanking = ReturnType<typeof toListedRanking>;

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return args.defaultShouldRevalidate && !isDialogNavigation(args);
}

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Leaderboard by win rate",
    description:
      "South African racing tipsters ranked by record: by month, track and tip type, with streaks and the last 30 days.",
    path: "/leaderboard",
  });
}

const typeNames = { win: "Win tips", place: "Place tips", "each-way": "Each-way tips" };

export default function RankingsPage({ loaderData }: Route.ComponentProps) {
  const { filter, page, pageCount, periods, venues, rankings } = loaderData;
  const ranked = rankings.filter((ranking) => ranking.rank !== null);
  const unranked = rankings.filter((ranking) => ranking.rank === null);
  const filterSummary = [
    periods.find((period) => period.value === filter.period)?.label,
    venues.find((venue) => venue.slug === filter.venue)?.name ?? "all tracks",
    filter.type ? typeNames[filter.type].toLowerCase() : "all tips",
  ].join(", ");

  return (
    <>
      <PageHeading
        kicker="Records"
        lead="Tipsters and analysts ranked by win rate, adjusted for how many tips they have settled. Sales don't count."
      >
        Leaderboard by win rate
      </PageHeading>
      <Filters key={JSON.stringify(filter)} {...{ filter, periods, venues }} />
      <div className="mt-8 flex flex-col gap-10">
        {ranked.length > 0 || page === 1 ? (
          <section aria-labelledby="ranked">
            <SectionHeading id="ranked" aside={filterSummary}>
              Ranking
            </SectionHeading>
            <Table
              className="mt-2"
              caption={`Ranking: ${filterSummary}`}
              columns={columns}
              rows={ranked}
              rowKey={(ranking) => ranking.creator.slug}
              empty={
                <EmptyState
                  drawing="post"
                  title="No ranking for this filter yet"
                  action={
                    <ButtonLink to="/leaderboard" variant="secondary">
                      Show all time, all tracks
                    </ButtonLink>
                  }
                >
                  Tipsters need {MIN_SETTLED_FOR_LEVEL} settled tips to be ranked. Try a longer
                  period or all tracks.
                </EmptyState>
              }
            />
          </section>
        ) : null}
        {unranked.length > 0 ? (
          <section aria-labelledby="unranked">
            <SectionHeading
              id="unranked"
              lead={`Fewer than ${MIN_SETTLED_FOR_LEVEL} settled tips for this filter. Good or bad, it could still be luck.`}
            >
              Too few tips to rank
            </SectionHeading>
            <Table
              className="mt-2"
              caption={`Too few tips to rank: ${filterSummary}`}
              columns={columns}
              rows={unranked}
              rowKey={(ranking) => ranking.creator.slug}
            />
          </section>
        ) : null}
        <Pagination filter={filter} page={page} pageCount={pageCount} />
        <RankingExplanation />
      </div>
    </>
  );
}

/** Pagination within the current filter. */
function Pagination({
  filter,
  page,
  pageCount,
}: Pick<Route.ComponentProps["loaderData"], "filter" | "page" | "pageCount">) {
  if (pageCount === 1) return null;
  const buildPageUrl = (pageNumber: number) =>
    `/leaderboard?${new URLSearchParams({ ...filter, page: `${pageNumber}` })}`;
  return (
    <nav aria-label="Ranking" className="flex flex-wrap items-center justify-center gap-3">
      {page > 1 ? (
        <ButtonLink to={buildPageUrl(page - 1)} variant="secondary" rel="prev">
          Higher ranks
        </ButtonLink>
      ) : null}
      <span className="text-sm text-ink-2">
        Page {page} of {pageCount}
      </span>
      {page < pageCount ? (
        <ButtonLink to={buildPageUrl(page + 1)} variant="secondary" rel="next">
          Lower ranks
        </ButtonLink>
      ) : null}
    </nav>
  );
}

function Filters({
  filter,
  periods,
  venues,
}: Pick<Route.ComponentProps["loaderData"], "filter" | "periods" | "venues">) {
  const isPending = useNavigation().location?.pathname === "/leaderboard";
  return (
    <Form
      aria-label="Filter the ranking"
      preventScrollReset
      onChange={(event) => event.currentTarget.requestSubmit()}
      className="mt-6 grid max-w-3xl grid-cols-2 items-end gap-3 sm:grid-cols-[1fr_1fr_1fr_auto]"
    >
      <SelectField
        label="Period"
        name="period"
        options={periods}
        defaultValue={filter.period}
        className="col-span-2 sm:col-span-1"
      />
      <SelectField
        label="Track"
        name="venue"
        options={[
          { value: "", label: "All tracks" },
          ...venues.map((venue) => ({ value: venue.slug, label: venue.name })),
        ]}
        defaultValue={filter.venue}
      />
      <SelectField
        label="Tips"
        name="type"
        options={[
          { value: "", label: "All tips" },
          ...TIP_TYPES.map((type) => ({ value: type, label: typeNames[type] })),
        ]}
        defaultValue={filter.type}
      />
      <Button
        type="submit"
        variant="secondary"
        pending={isPending}
        pendingLabel="Ranking"
        className="col-span-2 sm:col-span-1"
      >
        Show
      </Button>
    </Form>
  );
}

const columns: readonly TableColumn<ListedRanking>[] = [
  {
    key: "creator",
    header: "Tipster",
    isRowHeader: true,
    cell: ({ rank, creator }) => (
      <span className="flex min-w-0 items-center gap-3">
        <span className="w-7 shrink-0 text-center font-cond text-xl font-bold">
          {rank === null ? (
            <span className="text-ink-3" title="Not ranked">
              <span aria-hidden="true">–</span>
              <span className="sr-only">Not ranked</span>
            </span>
          ) : (
            <>
              <span className="sr-only">Rank </span>
              {rank}
            </>
          )}
        </span>
        <Avatar name={creator.name} photo={creator.profileImage} />
        <span className="min-w-0">
          <DialogLink
            to={`/tipsters/${creator.slug}`}
            dialogParameter={`tipster=${creator.slug}`}
            className="tap block no-underline hover:underline hover:underline-offset-4"
          >
            <span className="block truncate">{creator.name}</span>
          </DialogLink>
          <span className="block text-xs font-normal text-ink-2">
            {creator.kind === "analyst" ? "Analyst" : "Tipster"}
          </span>
        </span>
      </span>
    ),
  },
  {
    key: "rate",
    header: "Win rate and range",
    cell: ({ creator, tally, winRateInterval, winRate }) => (
      <span className="flex w-44 flex-col items-end gap-1 sm:items-stretch lg:w-64">
        <WinRecord
          settledTips={tally.settled}
          wonTips={tally.won}
          hasOnePersonResults={creator.hasOnePersonResults}
        />
        <WinRateIntervalBar interval={winRateInterval} winRate={winRate} className="w-full" />
      </span>
    ),
  },
  {
    key: "streak",
    header: "Streak",
    cell: ({ streak }) => (
      <span className={streak.result === "won" ? "text-green-ink" : "text-ink-2"}>
        <b className="font-cond text-base">{streak.length}</b> {streak.result}
      </span>
    ),
  },
  {
    key: "longest",
    header: "Longest",
    cell: ({ longestWinningStreak }) => (
      <span className="whitespace-nowrap text-ink-2">
        <b className="font-cond text-base">{longestWinningStreak}</b> won
      </span>
    ),
  },
  {
    key: "recent",
    header: "Last 30 days",
    align: "right",
    cell: ({ last30Days }) =>
      last30Days.settled === 0 ? (
        <span className="text-sm text-ink-3">none settled</span>
      ) : (
        <WinRecord settledTips={last30Days.settled} wonTips={last30Days.won} />
      ),
  },
];

function RankingExplanation() {
  return (
    <Panel title="How this is ranked" tone="well">
      <div className="grid gap-x-10 gap-y-3 text-sm text-ink-2 sm:grid-cols-2">
        <p>
          Three winners from three tips is 100%, but it proves little. So we don't rank by win rate
          alone. We work out the range that the tipster's real win rate probably falls in (the 95%
          Wilson confidence interval). It is the band under each rate, and{" "}
          <b>we rank by its lower end</b>. The more tips are settled, the narrower the band.
        </p>
        <p>
          A win tip counts when the horse finishes first; a place or each-way tip counts when it is
          placed. Places are easier to get right, so filter by tip type to compare fairly. Late and
          void tips don't count. Losing tips always do. The short list on the{" "}
          <TextLink to="/">home page</TextLink> ranks by sales instead.
        </p>
      </div>
    </Panel>
  );
}
