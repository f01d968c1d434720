import { data } from "react-router";
import { type Creator, countCreators, listCreators } from "#creators/creators.server.ts";
import { computeWinRateInterval, MIN_SETTLED_FOR_LEVEL } from "#domain/track-record.ts";
import { now } from "#platform/clock.server.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { countOnSaleByCreator } from "#tips/tips.server.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Badge } from "#ui/badge.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { LinkTabs } from "#ui/link-tabs.tsx";
import { LIST_PATH } from "#ui/list-path.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { LevelBadge } from "#ui/racing/level-badge.tsx";
import { WinRecord } from "#ui/racing/win-record.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/top-analysts.page.ts";
import { WinRateIntervalBar } from "./win-rate-interval-bar.ui.tsx";

const CACHE_SECONDS = 60;
const MAX_CREATORS = 30;

export const handle = { scriptStart: "use" };

export async function loader({ request }: Route.LoaderArgs) {
  const requested = new URL(request.url).searchParams.get("kind");
  const kind = requested === "analyst" || requested === "tipster" ? requested : null;
  const [{ creators }, count, onSaleCounts] = await Promise.all([
    listCreators({ order: "record", kind, limit: MAX_CREATORS }),
    countCreators(kind),
    countOnSaleByCreator(now()),
  ]);
  return data(
    {
      kind,
      count,
      creators: creators.map((creator) =>
        toListedCreator(creator, onSaleCounts.get(creator.id) ?? 0),
      ),
    },
    { headers: { "Cache-Control": `s-maxage=${CACHE_SECONDS}` } },
  );
}

/** Returns only the fields of a creator that the page shows. */
function toListedCreator(creator: Creator, raceCardsOnSale: number) {
  const { slug, name, kind, photo, record, hasOnePersonResults, level } = creator;
  const { specialization, bio } = creator;
  return {
    slug,
    name,
    kind,
    photo,
    record,
    hasOnePersonResults,
    level,
    specialization,
    bio,
    raceCardsOnSale,
  };
}

type ListedCreator = ReturnType<typeof toListedCreator>;

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Top analysts",
    description:
      "Furlong's analysts and tipsters: settled tips, win rate, confidence range, specialities and race cards on sale.",
    path: "/top-analysts",
  });
}

export default function TopAnalysts({
  loaderData: { kind, count, creators },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeading
        kicker="Records"
        lead="Analysts and tipsters, best record first. We invite analysts; tipsters apply and we approve them. All figures come from published tips and results."
        actions={
          <>
            <ButtonLink to="/leaderboard" variant="secondary">
              Leaderboard
            </ButtonLink>
            <ButtonLink to={LIST_PATH}>Race cards on sale</ButtonLink>
          </>
        }
      >
        Top analysts
      </PageHeading>
      <LinkTabs
        label="Who to show"
        className="mt-6"
        tabs={[
          { to: "/top-analysts", label: "All", current: kind === null },
          { to: "/top-analysts?kind=analyst", label: "Analysts", current: kind === "analyst" },
          { to: "/top-analysts?kind=tipster", label: "Tipsters", current: kind === "tipster" },
        ]}
      />
      {creators.length === 0 ? (
        <EmptyState
          drawing="paddock"
          title="No analysts or tipsters yet"
          action={<ButtonLink to="/tipster-auth">Become a tipster</ButtonLink>}
        >
          Be the first: apply to become a tipster.
        </EmptyState>
      ) : (
        <ul className="mt-6 grid gap-4 md:grid-cols-2 lg:grid-cols-3">
          {creators.map((creator) => (
            <CreatorPanel key={creator.slug} creator={creator} />
          ))}
        </ul>
      )}
      {count > creators.length ? (
        <p className="mt-6 text-center text-sm text-ink-2">
          Showing {creators.length} of {count}. See the rest on the{" "}
          <TextLink to="/leaderboard">leaderboard</TextLink>.
        </p>
      ) : null}
    </>
  );
}

function CreatorPanel({ creator }: { creator: ListedCreator }) {
  const { record, raceCardsOnSale } = creator;
  const interval = computeWinRateInterval(record);
  return (
    <li className="group relative flex min-w-0 flex-col rounded-md border border-rule bg-sheet p-4 focus-within:border-green-ink hover:border-rule-strong">
      <div className="flex gap-4">
        <Avatar name={creator.name} photo={creator.photo} size="large" />
        <div className="min-w-0">
          <h2 className="truncate font-cond text-xl font-bold">
            <TextLink
              to={`/tipsters/${creator.slug}`}
              className="text-ink no-underline after:absolute after:inset-0 group-hover:underline"
            >
              {creator.name}
            </TextLink>
          </h2>
          <p className="mt-1 flex flex-wrap gap-1.5">
            <Badge>{creator.kind === "analyst" ? "Analyst" : "Tipster"}</Badge>
            <LevelBadge level={creator.level} />
          </p>
        </div>
      </div>
      {creator.specialization ? (
        <p className="mt-3 text-sm font-semibold">{creator.specialization}</p>
      ) : null}
      {creator.bio ? <p className="mt-1 line-clamp-3 text-sm text-ink-2">{creator.bio}</p> : null}
      <div className="mt-auto pt-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-rule pt-3">
          <WinRecord
            settledTips={record.settled}
            wonTips={record.won}
            hasOnePersonResults={creator.hasOnePersonResults}
            size="large"
          />
          <span className="text-sm text-ink-2">
            {raceCardsOnSale === 0
              ? "No race cards on sale"
              : `${raceCardsOnSale} ${raceCardsOnSale === 1 ? "card" : "cards"} on sale`}
          </span>
        </div>
        {interval ? (
          <>
            <WinRateIntervalBar
              interval={interval}
              winRate={(record.won / record.settled) * 100}
              className="mt-2"
            />
            <p className="mt-1 text-xs text-ink-3">
              {creator.level === null
                ? `No level before ${MIN_SETTLED_FOR_LEVEL} settled tips`
                : "95% confidence range"}
            </p>
          </>
        ) : null}
      </div>
    </li>
  );
}
