import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import { requireViewer } from "#accounts/accounts.server.ts";
import { addDays, dateAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { OFFLINE_COPY_HEADERS } from "#platform/offline.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { isDialogNavigation } from "#ui/dialog-navigation.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { LIST_PATH } from "#ui/list-path.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Pagination } from "#ui/pagination.tsx";
import { CardPrice } from "#ui/prices.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { useMinute } from "#ui/use-minute.ts";
import type { Route } from "./+types/my-cards.page.ts";
import { readOpenedCards } from "./opened-cards.server.ts";
import { toOpenedRaceCard } from "./opened-race-card.ts";
import { readOwnRecord } from "./own-record.server.ts";
import { OwnRecordSummary } from "./own-record.ui.tsx";
import { RaceCardPanel } from "./race-card-panel.ui.tsx";

const PAGE_SIZE = 10;
/** The days that the summary of the viewer's record covers. */
const RECORD_DAYS = 31;

export async function loader({ context, request }: Route.LoaderArgs) {
  const viewer = await requireViewer(context, request);
  const beforeParameter = Number(new URL(request.url).searchParams.get("before"));
  const isFirst = !(Number.isSafeInteger(beforeParameter) && beforeParameter > 0);
  const today = dateAt(now());
  const [{ cards, next }, [record = null]] = await Promise.all([
    readOpenedCards(viewer.id, {
      beforeSaleId: isFirst ? undefined : beforeParameter,
      limit: PAGE_SIZE,
    }),
    readOwnRecord(viewer.id, "all", { from: addDays(today, 1 - RECORD_DAYS), until: today }),
  ]);
  const summaries = await readRaceCardSummaries(cards.map((openedCard) => openedCard.raceCardId));
  const page = {
    readAt: now(),
    isFirst,
    next,
    record,
    raceCards: cards.flatMap((openedCard) => {
      const summary = summaries.get(openedCard.raceCardId);
      return summary
        ? [
            {
              openedAt: openedCard.openedAt,
              ...toOpenedRaceCard(summary, openedCard.tips, openedCard.coinReturn),
            },
          ]
        : [];
    }),
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
    title: "My cards",
    description: "Every race card you have opened, with its selections, analysis and results.",
    isPrivate: true,
  });

export default function MyCards({ loaderData }: Route.ComponentProps) {
  const { readAt, raceCards, isFirst, next, record } = loaderData;
  const currentTime = useMinute(readAt);
  return (
    <div className="mx-auto max-w-3xl px-4 py-8 sm:px-6">
      <PageHeading lead="The race cards you have opened, newest first.">My cards</PageHeading>
      {raceCards.length > 0 ? <OwnRecordSummary record={record} days={RECORD_DAYS} /> : null}
      {raceCards.length === 0 ? (
        <EmptyState
          drawing="raceCard"
          title={isFirst ? "You haven't opened a race card yet" : "No more cards"}
          action={
            <ButtonLink to={LIST_PATH}>
              {isFirst ? "See race cards on sale" : "Race cards on sale"}
            </ButtonLink>
          }
          className="mt-6"
        >
          {isFirst ? (
            <>
              Open a race card for <CardPrice /> and it stays here.
            </>
          ) : null}
        </EmptyState>
      ) : (
        <ul className="mt-6 flex flex-col gap-4">
          {raceCards.map(({ raceCard, tips, openedAt }) => (
            <li key={raceCard.id}>
              <RaceCardPanel
                raceCard={raceCard}
                readAt={readAt}
                now={currentTime}
                selections={tips}
                level={2}
                note={
                  <>
                    Opened <DateTime at={openedAt} />
                  </>
                }
              />
            </li>
          ))}
        </ul>
      )}
      <Pagination
        label="Opened race cards"
        className="mt-6"
        newerHref={isFirst ? null : "/my-cards"}
        newerLabel="Newest"
        olderHref={next ? `/my-cards?before=${next}` : null}
      />
    </div>
  );
}
