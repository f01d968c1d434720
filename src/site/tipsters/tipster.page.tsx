import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import { findViewer } from "#accounts/accounts.server.ts";
import { addDays, dateAt } from "#domain/calendar.ts";
import { computeLevelStakeResult } from "#domain/figures/level-stakes.ts";
import { now } from "#platform/clock.server.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { readCreatorEntries } from "#proof/proof.server.ts";
import { CreatorProof } from "#proof/proof.ui.tsx";
import { listVenues } from "#racing/racing.server.ts";
import {
  countRecordedCreators,
  countSingleTipResults,
  readCreatorProfile,
  readFigures,
  readOverallRecord,
  readStakedTips,
} from "#records/records.server.ts";
import { readListedRaceCards } from "#sales/sales.server.ts";
import { type ListedRaceCard, RaceCardList } from "#sales/sales.ui.tsx";
import {
  listRaceCardsOnSale,
  type PublicTip,
  readPublicTips,
  readPublishedCounts,
} from "#tips/tips.server.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { isDialogNavigation } from "#ui/dialog-navigation.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { CardPrice } from "#ui/prices.ts";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { useMinute } from "#ui/use-minute.ts";
import type { Route } from "./+types/tipster.page.ts";
import {
  CALCULATOR_DAYS,
  CALCULATOR_STAKES,
  LevelStakes,
  type VenueStakes,
} from "./level-stakes.ui.tsx";
import { toRecordView } from "./record-view.ts";
import { tipsPath } from "./tips-path.ts";
import {
  describeFacts,
  RecordByType,
  Results,
  TipsterHead,
  TipsterStats,
} from "./tipster-profile.ui.tsx";
import {
  BadRunsSection,
  DataSection,
  FormSection,
  LuckSection,
  ProfitChartSection,
  ProfitSection,
  SlicesSection,
  StrikeRateSection,
} from "./tipster-record.ui.tsx";

const CACHE_SECONDS = 60;
const SHOWN_RESULTS = 3;
/** More than a tipster can have on sale: one a track and day, at most 15 days. */
const MAX_RACE_CARDS = 200;

export const handle = { scriptStart: "minute" };

export async function loader({ context, params }: Route.LoaderArgs) {
  const at = now();
  const [profile, viewer] = await Promise.all([
    readCreatorProfile(params.slug),
    findViewer(context),
  ]);
  if (!profile) throw data(null, { status: 404 });
  const [{ raceCards }, { tips: results }, figures, published, entries, record] = await Promise.all(
    [
      listRaceCardsOnSale({ at, creatorId: profile.id, limit: MAX_RACE_CARDS }),
      readPublicTips({ at, creatorId: profile.id, limit: SHOWN_RESULTS }),
      readFigures(profile.id),
      readPublishedCounts(profile.id),
      readCreatorEntries(profile.id, at),
      readComparison(),
    ],
  );
  const [listedRaceCards, stakes, singleTipResults] = await Promise.all([
    readListedRaceCards(raceCards, viewer?.id ?? null),
    readStakes(profile.id, { at, venues: raceCards.map((raceCard) => raceCard.venue) }),
    // Counted only if there may be some. The difference is no count: the record changes seconds before the figures.
    figures && figures.figures.settled !== profile.record.settled
      ? countSingleTipResults(profile.id)
      : 0,
  ]);
  const { id: _, ...tipster } = profile;
  const page = {
    readAt: at,
    tipster,
    published,
    record: figures && toRecordView(figures, record),
    singleTipResults,
    entries,
    results: results.map(toListedResult),
    stakes,
    raceCards: listedRaceCards,
  };
  return data(
    page,
    viewer ? undefined : { headers: { "Cache-Control": `public, s-maxage=${CACHE_SECONDS}` } },
  );
}

/** Returns a result without what its list does not show. */
function toListedResult({
  creatorSlug: _,
  creatorName: __,
  venueSlug: ___,
  offAt: ____,
  isHidden: _____,
  ...result
}: PublicTip) {
  return result;
}

/** Returns what the figures of a tipster are shown with. */
async function readComparison() {
  const [overall, recordedCreators, venues] = await Promise.all([
    readOverallRecord(),
    countRecordedCreators(),
    listVenues({ includesInactive: true }),
  ]);
  return { overall, recordedCreators, venues };
}

/** Returns what level stakes made in the last days at each of these tracks. */
async function readStakes(
  creatorId: string,
  { at, venues }: { at: Date; venues: readonly { id: string; slug: string; name: string }[] },
): Promise<VenueStakes[]> {
  if (venues.length === 0) return [];
  const today = dateAt(at);
  const byVenue = await readStakedTips(creatorId, {
    from: addDays(today, -CALCULATOR_DAYS),
    until: today,
  });
  const byId = new Map(venues.map((venue) => [venue.id, venue]));
  return [...byId.values()].map(({ id, slug, name }) => ({
    venueSlug: slug,
    venueName: name,
    results: CALCULATOR_STAKES.map((stakeCents) =>
      computeLevelStakeResult(byVenue.get(id) ?? [], stakeCents),
    ),
  }));
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return args.defaultShouldRevalidate && !isDialogNavigation(args);
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? publicMeta(matches, {
        path: `/tipsters/${loaderData.tipster.slug}`,
        imagePath: `/share/tipsters/${loaderData.tipster.slug}.png`,
        crumbs: [{ name: "Leaderboard", path: "/leaderboard" }],
        structuredData: [
          {
            "@type": "ProfilePage",
            mainEntity: { "@type": "Person", name: loaderData.tipster.name },
          },
        ],
        title: `${loaderData.tipster.name}, ${loaderData.tipster.kind}`,
        description: `${loaderData.tipster.name}'s record on Furlong: every settled selection, winners and losers, plus race cards on sale.`,
      })
    : [];

export default function Tipster({ loaderData }: Route.ComponentProps) {
  const { readAt, tipster, published, record, entries, results, stakes, raceCards } = loaderData;
  const { singleTipResults } = loaderData;
  const { slug } = tipster;
  const current = useMinute(readAt);
  const isMarked = tipster.hasOnePersonResults && tipster.record.settled > 0;
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 sm:px-6 sm:py-8">
      <TipsterHead
        tipster={tipster}
        level={1}
        facts={describeFacts({
          approvedAt: tipster.approvedAt,
          readAt,
          published,
          hasOfficialResults: record !== null,
        })}
      />
      <div className="mt-6 grid items-start gap-x-8 gap-y-10 sm:mt-8 lg:grid-cols-[minmax(0,1fr)_25rem]">
        <div className="flex min-w-0 flex-col gap-9">
          {record && record.settled > 0 ? (
            <>
              <StrikeRateSection {...{ slug, record }} />
              {singleTipResults > 0 ? (
                <p className="-mt-6 text-sm text-ink-2">
                  {singleTipResults === 1
                    ? "One more result, set by an admin for a single tip, is not in these figures."
                    : `${singleTipResults} more results, set by an admin for single tips, are not in these figures.`}
                </p>
              ) : null}
              <ProfitSection {...{ slug, record }} />
              <LuckSection {...{ slug, record }} />
              <ProfitChartSection {...{ slug, record }} />
              <SlicesSection
                {...{ slug }}
                id="by-track"
                heading="By track"
                param="venue"
                slices={record.venues}
              />
              <SlicesSection
                {...{ slug }}
                id="by-type"
                heading="By type"
                lead="A win tip counts when the horse finishes first. Place and each-way tips count when it is placed."
                param="type"
                slices={record.types}
              />
              <SlicesSection
                {...{ slug }}
                id="by-confidence"
                heading="Does HIGH mean anything?"
                lead="The strike rate by the confidence that the tipster gave. The band is where the true rate probably is."
                param="confidence"
                slices={record.confidences}
              />
              <FormSection {...{ slug, record }} />
              <BadRunsSection {...{ slug, record }} />
            </>
          ) : (
            <NoFigures tipster={tipster} />
          )}
          <section aria-labelledby="proof">
            <SectionHeading id="proof">Proof</SectionHeading>
            <div className="mt-3 grid gap-2">
              {entries ? <CreatorProof entries={entries} /> : null}
              <DataSection {...{ slug, isMarked }} computedAt={record?.computedAt ?? null} />
            </div>
          </section>
          <section aria-labelledby="last-results">
            <SectionHeading
              id="last-results"
              aside={
                <TextLink to={tipsPath(slug)} className="tap">
                  All tips and results
                </TextLink>
              }
            >
              Last results
            </SectionHeading>
            <Results results={results} hasDate className="mt-1" />
          </section>
        </div>
        <section
          aria-labelledby="on-sale"
          className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-20"
        >
          <SectionHeading id="on-sale">Race cards on sale</SectionHeading>
          {raceCards.length > 0 ? (
            <RaceCardList raceCards={raceCards} readAt={readAt} now={current} hasCreator={false} />
          ) : (
            <EmptyState compact drawing="raceCard" title="No race cards on sale right now" />
          )}
          {stakes.map((venueStakes) => (
            <LevelStakes key={venueStakes.venueSlug} slug={slug} stakes={venueStakes} />
          ))}
        </section>
      </div>
      <BuyBar raceCards={raceCards} />
    </div>
  );
}

/** The record of a tipster without an official settlement. */
function NoFigures({ tipster }: Pick<Route.ComponentProps["loaderData"], "tipster">) {
  return (
    <section aria-labelledby="strike-rate">
      <SectionHeading id="strike-rate">
        {tipster.record.settled === 0 ? "No settled tips yet" : "Too few tips to say"}
      </SectionHeading>
      <TipsterStats tipster={tipster} className="mt-3" />
      {tipster.record.settled === 0 ? (
        <p className="mt-3 max-w-prose text-sm text-ink-2">
          Figures appear here as official results settle these tips.
        </p>
      ) : (
        <RecordByType byType={tipster.byType} className="mt-3" />
      )}
    </section>
  );
}

/** The next race card to buy, at the bottom of the screen of a phone. */
function BuyBar({ raceCards }: { raceCards: readonly ListedRaceCard[] }) {
  const next = raceCards.find(({ tips, isOwn }) => tips === null && !isOwn);
  if (!next) return null;
  const { id, venue, raceDate, races } = next.raceCard;
  return (
    <div className="sticky bottom-[var(--offline-notice-height)] z-10 -mx-4 mt-8 flex items-center justify-between gap-3 border-t border-rule-strong bg-paper px-4 py-2 sm:-mx-6 sm:px-6 lg:hidden">
      <p className="min-w-0 text-sm leading-tight">
        <b className="block font-cond text-base font-bold wrap-anywhere">{venue.name}</b>
        <span className="text-ink-2">
          <RaceDate date={raceDate} />, {races.length} {races.length === 1 ? "race" : "races"}
        </span>
      </p>
      <ButtonLink to={`/race-cards/${id}`} variant="coin" className="shrink-0">
        <CardPrice />
      </ButtonLink>
    </div>
  );
}
