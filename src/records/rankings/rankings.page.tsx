import { data, Form, type ShouldRevalidateFunctionArgs, useNavigation } from "react-router";
import { dateAt } from "#domain/calendar.ts";
import { MIN_TIPS_FOR_YIELD_RANGE } from "#domain/figures/returns.ts";
import { formatCents } from "#domain/format-cents.ts";
import { TIP_TYPES } from "#domain/tip.ts";
import { MIN_SETTLED_FOR_RANK } from "#domain/track-record.ts";
import { now } from "#platform/clock.server.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { listVenues } from "#racing/racing.server.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { TipsterLink } from "#ui/dialog-link.tsx";
import { isDialogNavigation } from "#ui/dialog-navigation.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { SelectField } from "#ui/forms/select-field.tsx";
import { LIST_PATH } from "#ui/list-path.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { Panel } from "#ui/panel.tsx";
import { WinRecord } from "#ui/racing/win-record.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { type ProfitRanking, readProfitRankings } from "../figures/read-profit-rankings.server.ts";
import type { Route } from "./+types/rankings.page.ts";
import {
  listRankingPeriods,
  parsePage,
  parseRankingFilter,
  RANKING_ORDERS,
  type RankingOrder,
  toDateRange,
} from "./ranking-filter.ts";
import { type Ranking, readRankings } from "./read-rankings.server.ts";
import { WinRateIntervalBar } from "./win-rate-interval-bar.ui.tsx";

const CACHE_SECONDS = 60;
const PER_PAGE = 50;

export const handle = { scriptStart: "use" };

export async function loader({ request }: Route.LoaderArgs) {
  const at = now();
  const today = dateAt(at);
  const venues = await listVenues();
  const search = new URL(request.url).searchParams;
  const filter = parseRankingFilter(search, { today, venues });
  const tipsToRank = {
    ...toDateRange(filter.period, today),
    venueId: venues.find((venue) => venue.slug === filter.venue)?.id,
    tipType: filter.type || null,
  };
  const isByProfit = filter.order === "profit";
  const rankings = isByProfit ? [] : await readRankings(at, tipsToRank);
  const profitRankings = isByProfit ? await readProfitRankings(tipsToRank) : [];
  const count = rankings.length + profitRankings.length;
  const pageCount = Math.max(1, Math.ceil(count / PER_PAGE));
  const page = Math.min(parsePage(search), pageCount);
  const [first, end] = [(page - 1) * PER_PAGE, page * PER_PAGE];
  return data(
    {
      filter,
      page,
      pageCount,
      periods: listRankingPeriods(today),
      venues: venues.map(({ slug, name }) => ({ slug, name })),
      rankings: rankings.slice(first, end).map(toListedRanking),
      profitRankings: profitRankings.slice(first, end).map(toListedRanking),
    },
    { headers: { "Cache-Control": `s-maxage=${CACHE_SECONDS}` } },
  );
}

/** Returns a ranking with only the creator fields that the page shows. */
function toListedRanking<Listed extends Pick<Ranking, "creator">>({
  creator: { slug, name, kind, photo, hasOnePersonResults },
  ...ranking
}: Listed) {
  return { ...ranking, creator: { slug, name, kind, photo, hasOnePersonResults } };
}

type ListedRanking = ReturnType<typeof toListedRanking<Ranking>>;
type ListedCreator = ListedRanking["creator"];
type ListedProfitRanking = ReturnType<typeof toListedRanking<ProfitRanking>>;

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

const ORDER_LABELS: Record<RankingOrder, string> = {
  "win-rate": "Win rate",
  profit: "Profit at SP",
};
const typeNames = { win: "Win tips", place: "Place tips", "each-way": "Each-way tips" };

export default function RankingsPage({ loaderData }: Route.ComponentProps) {
  const { filter, page, pageCount, periods, venues } = loaderData;
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
        {filter.order === "profit" ? (
          <Rankings
            rows={loaderData.profitRankings}
            columns={profitColumns}
            minTips={MIN_TIPS_FOR_YIELD_RANGE}
            tipsNoun="settled win bets with a starting price"
            {...{ page, filterSummary }}
          />
        ) : (
          <Rankings
            rows={loaderData.rankings}
            columns={columns}
            minTips={MIN_SETTLED_FOR_RANK}
            tipsNoun="settled tips"
            {...{ page, filterSummary }}
          />
        )}
        <Pagination filter={filter} page={page} pageCount={pageCount} />
        {filter.order === "profit" ? <ProfitExplanation /> : <RankingExplanation />}
      </div>
    </>
  );
}

/** The ranked creators, and those with too few tips to rank. */
function Rankings<Row extends { rank: number | null; creator: ListedCreator }>({
  rows,
  columns,
  minTips,
  tipsNoun,
  page,
  filterSummary,
}: {
  rows: readonly Row[];
  columns: readonly TableColumn<Row>[];
  minTips: number;
  tipsNoun: string;
  page: number;
  filterSummary: string;
}) {
  const ranked = rows.filter((row) => row.rank !== null);
  const unranked = rows.filter((row) => row.rank === null);
  return (
    <>
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
            rowKey={(row) => row.creator.slug}
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
                Tipsters need {minTips} {tipsNoun} to be ranked. Try a longer period or all tracks.
              </EmptyState>
            }
          />
        </section>
      ) : null}
      {unranked.length > 0 ? (
        <section aria-labelledby="unranked">
          <SectionHeading
            id="unranked"
            lead={`Fewer than ${minTips} ${tipsNoun} for this filter. Good or bad, it could still be luck.`}
          >
            Too few tips to rank
          </SectionHeading>
          <Table
            className="mt-2"
            caption={`Too few tips to rank: ${filterSummary}`}
            columns={columns}
            rows={unranked}
            rowKey={(row) => row.creator.slug}
          />
        </section>
      ) : null}
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
      className="mt-6 grid max-w-4xl grid-cols-2 items-end gap-3 sm:grid-cols-[1fr_1fr_1fr_1fr_auto]"
    >
      <SelectField
        label="Ranked by"
        name="order"
        options={RANKING_ORDERS.map((order) => ({ value: order, label: ORDER_LABELS[order] }))}
        defaultValue={filter.order}
      />
      <SelectField label="Period" name="period" options={periods} defaultValue={filter.period} />
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

const creatorColumn: TableColumn<{ rank: number | null; creator: ListedCreator }> = {
  key: "creator",
  header: "Tipster",
  isRowHeader: true,
  cell: ({ rank, creator }) => (
    <span className="flex min-w-0 items-center gap-2 @2xl:gap-3">
      <span className="w-6 shrink-0 @2xl:w-7 text-center font-cond text-xl font-bold">
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
      <Avatar name={creator.name} photo={creator.photo} size="small" />
      <span className="min-w-0">
        <TipsterLink
          slug={creator.slug}
          className="tap block no-underline hover:underline hover:underline-offset-4"
        >
          <span className="block truncate">{creator.name}</span>
        </TipsterLink>
        <span className="block text-xs leading-4 font-normal text-ink-2">
          {creator.kind === "analyst" ? "Analyst" : "Tipster"}
          {creator.hasOnePersonResults ? ", some results entered by one person" : ""}
        </span>
      </span>
    </span>
  ),
};

const columns: readonly TableColumn<ListedRanking>[] = [
  creatorColumn,
  {
    key: "rate",
    header: "Win rate and range",
    narrowLine: 1,
    cell: ({ tally, winRateInterval, winRate }) => (
      <span className="flex flex-col items-end gap-1 @2xl:w-44 @2xl:items-stretch lg:w-64">
        <WinRecord settledTips={tally.settled} wonTips={tally.won} />
        <WinRateIntervalBar interval={winRateInterval} winRate={winRate} className="w-full" />
      </span>
    ),
  },
  {
    key: "streak",
    header: "Streak",
    narrowLine: 2,
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
    narrowLine: 2,
    align: "right",
    cell: ({ last30Days }) =>
      last30Days.settled === 0 ? (
        <span className="text-sm text-ink-3">none settled</span>
      ) : (
        <WinRecord settledTips={last30Days.settled} wonTips={last30Days.won} />
      ),
  },
];

const profitColumns: readonly TableColumn<ListedProfitRanking>[] = [
  creatorColumn,
  {
    key: "yield",
    header: "Yield and range",
    narrowLine: 1,
    align: "right",
    cell: ({ yieldPercent, yieldRange }) => (
      <span className="flex flex-col items-end">
        <b className="font-cond text-base">{formatPercent(yieldPercent)}</b>
        <span className="text-sm text-ink-2">
          {yieldRange
            ? `${formatPercent(yieldRange.lowPercent)} to ${formatPercent(yieldRange.highPercent)}`
            : "too few for a range"}
        </span>
      </span>
    ),
  },
  {
    key: "profit",
    header: "Profit at R10 a tip",
    narrowLine: 2,
    align: "right",
    cell: ({ profitCents }) => (
      <span className="whitespace-nowrap">
        {profitCents > 0 ? "+" : ""}
        {formatCents(profitCents).replace("-", "−")}
      </span>
    ),
  },
  {
    key: "tips",
    header: "Win bets",
    narrowLine: 2,
    align: "right",
    cell: ({ tips }) => formatInteger(tips),
  },
];

/** Formats a yield with its sign: '+24.9%', '−8.0%'. */
function formatPercent(percent: number): string {
  const sign = percent > 0 ? "+" : percent < 0 ? "−" : "";
  return `${sign}${Math.abs(percent).toFixed(1)}%`;
}

function ProfitExplanation() {
  return (
    <Panel title="How this is ranked" tone="well">
      <div className="grid gap-x-10 gap-y-3 text-sm text-ink-2 sm:grid-cols-2">
        <p>
          The yield is the profit as a share of the stakes, at the starting price and at the same
          stake on every tip, before tax. One outsider can carry a short record. So{" "}
          <b>we rank by the lower end of its 95% range</b>, which narrows with every tip.
        </p>
        <p>
          Only official results count. Place tips have no starting price, and of each-way tips the
          win half counts with R5. Late and void tips don't count. How returns are worked out is in
          the <TextLink to="/rules">settlement rules</TextLink>.
        </p>
      </div>
    </Panel>
  );
}

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
          <TextLink to={LIST_PATH}>home page</TextLink> ranks the last 30 days in the same way, or
          by sales.
        </p>
      </div>
    </Panel>
  );
}
