import { randomUUID } from "node:crypto";
import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import { addDays, dateAt } from "#domain/calendar.ts";
import { findViewer } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { readOpenedTips, toListedRaceCard } from "#sales/sales.server.ts";
import { RaceCardList } from "#sales/sales.ui.tsx";
import {
  listRaceCardsOnSale,
  parseRecordDate,
  readCreatorProfile,
  readPublicRecord,
} from "#tips/tips.server.ts";
import { LineChart } from "#ui/charts/line-chart.tsx";
import { isDialogNavigation } from "#ui/dialog-navigation.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { useMinute } from "#ui/hooks/use-minute.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import type { Route } from "./+types/tipster.page.ts";
import { PublicRecordSection } from "./public-record.ui.tsx";
import { cumulativeStrikeRate, RecordByType, TipsterSummary } from "./tipster-profile.ui.tsx";

const CACHE_SECONDS = 60;

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const at = now();
  const [profile, viewer] = await Promise.all([
    readCreatorProfile(params.slug),
    findViewer(context),
  ]);
  if (!profile) throw data(null, { status: 404 });
  const until = parseRecordDate(new URL(request.url).searchParams.get("until"), at);
  const [{ raceCards }, record] = await Promise.all([
    listRaceCardsOnSale({ at, creatorId: profile.id }),
    readPublicRecord(profile.id, { at, until }),
  ]);
  const opened = viewer
    ? await readOpenedTips(
        viewer.id,
        raceCards.map((raceCard) => raceCard.id),
      )
    : null;
  const requestId = randomUUID();
  const { id: _, suspendedAt: __, ...tipster } = profile;
  const page = {
    readAt: at,
    tipster,
    record: { ...record, until, latest: addDays(dateAt(at), -1) },
    raceCards: raceCards.map((raceCard) =>
      toListedRaceCard(raceCard, { viewerId: viewer?.id ?? null, opened, requestId }),
    ),
  };
  return data(
    page,
    viewer ? undefined : { headers: { "Cache-Control": `public, s-maxage=${CACHE_SECONDS}` } },
  );
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
  const { readAt, tipster, raceCards, record } = loaderData;
  const current = useMinute(readAt);
  const strikeRate = cumulativeStrikeRate(tipster.days);
  return (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6">
      <TipsterSummary tipster={tipster} level={1} />
      <div className="mt-10 grid items-start gap-x-8 gap-y-10 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-10">
          <section aria-labelledby="on-sale">
            <SectionHeading id="on-sale">Race cards on sale</SectionHeading>
            <div className="mt-3">
              {raceCards.length > 0 ? (
                <RaceCardList
                  raceCards={raceCards}
                  readAt={readAt}
                  now={current}
                  hasCreator={false}
                />
              ) : (
                <EmptyState compact drawing="raceCard" title="No race cards on sale right now" />
              )}
            </div>
          </section>
          <PublicRecordSection slug={tipster.slug} record={record} />
        </div>
        <div className="flex min-w-0 flex-col gap-10">
          <section aria-labelledby="by-type">
            <SectionHeading
              id="by-type"
              lead="A win tip counts when the horse finishes first. Place and each-way tips count when it is placed."
            >
              Record by type
            </SectionHeading>
            <RecordByType byType={tipster.byType} className="mt-3" />
            {strikeRate.length > 1 ? (
              <LineChart
                title="Strike rate"
                valueLabel="Strike rate (%)"
                points={strikeRate}
                formatValue={(value) => `${value.toFixed(1)}%`}
                className="mt-6"
              />
            ) : null}
          </section>
        </div>
      </div>
    </div>
  );
}
