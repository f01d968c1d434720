import { readCreatorNotices, requireCreator } from "#creators/creators.server.ts";
import { computeClosingTime, describeCutOff } from "#domain/batch.ts";
import { addDays, type CalendarDate, dateAt, formatDate, timeAt } from "#domain/calendar.ts";
import { formatCents } from "#domain/format-cents.ts";
import { readEarningsOfCards } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { env } from "#platform/env.server.ts";
import { listVenues, readRaceDays } from "#racing/racing.server.ts";
import { countTipsToSettle, type OwnDayCard, readOwnCardsFrom } from "#tips/tips.server.ts";
import { Badge } from "#ui/badge.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { Countdown } from "#ui/countdown.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { RaceStrip } from "#ui/racing/race-strip.tsx";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { StatRow } from "#ui/stat.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { useMinute } from "#ui/use-minute.ts";
import type { Route } from "./+types/today.page.ts";
import { Notices } from "./notices.ui.tsx";

const NOTICE_PERIOD_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The days whose races are listed with their closing times: today, tomorrow and the day after. */
const CLOSING_DAYS = [0, 1, 2];

/** A race card of today or later with what its sales have brought. */
type SoldCard = OwnDayCard & { sales: number; priceCents: number; earnedCents: number };

/** A reported meeting with the instants at which its races close for tips, first one first. */
type ClosingMeeting = {
  venueId: string;
  venueName: string;
  raceDate: CalendarDate;
  closings: { raceNumber: number; closesAt: Date }[];
  /** The number of own tips for this meeting. */
  ownTips: number;
};

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Today",
    description: "Your race cards of today, their sales and what is to do.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  const { id } = await requireCreator(context);
  const at = now();
  const today = dateAt(at);
  const [ownCards, toMark, notices, venues, raceDays] = await Promise.all([
    readOwnCardsFrom(id, today),
    countTipsToSettle(id, at),
    readCreatorNotices(id, { since: new Date(at.getTime() - NOTICE_PERIOD_DAYS * DAY_MS) }),
    listVenues(),
    Promise.all(CLOSING_DAYS.map((days) => readRaceDays(addDays(today, days)))),
  ]);
  const earnings = Map.groupBy(
    await readEarningsOfCards(
      id,
      ownCards.map((card) => card.id),
    ),
    (group) => group.raceCardId,
  );
  const cutOffMinutes = env().tipCutOffMinutes;
  const venueNames = new Map(venues.map((venue) => [venue.id, venue.name]));
  return {
    readAt: at,
    today,
    toMark,
    notices,
    cutOffMinutes,
    cards: ownCards.map((card): SoldCard => {
      const counted = (earnings.get(card.id) ?? []).filter(({ status }) => status !== "reversed");
      const sum = (key: "sales" | "priceCents" | "amountCents") =>
        counted.reduce((total, group) => total + group[key], 0);
      return {
        ...card,
        sales: sum("sales"),
        priceCents: sum("priceCents"),
        earnedCents: sum("amountCents"),
      };
    }),
    meetings: raceDays.flat().flatMap(({ venueId, raceDate, offTimes }): ClosingMeeting[] => {
      const venueName = venueNames.get(venueId);
      const closings = offTimes
        .map(({ raceNumber, offAt }) => ({
          raceNumber,
          closesAt: computeClosingTime(offAt, cutOffMinutes),
        }))
        .filter(({ closesAt }) => closesAt > at)
        .sort((a, b) => a.closesAt.getTime() - b.closesAt.getTime());
      if (!venueName || closings.length === 0) return [];
      const own = ownCards.find((card) => card.venueId === venueId && card.raceDate === raceDate);
      return [{ venueId, venueName, raceDate, closings, ownTips: own?.races.length ?? 0 }];
    }),
  };
}

/** The first page of the dashboard: what is published, what it has brought and what is to do. */
export default function Today({ loaderData }: Route.ComponentProps) {
  const { readAt, today, toMark, notices, cards, meetings, cutOffMinutes } = loaderData;
  const currentTime = useMinute(readAt);
  const cardsOfToday = cards.filter((card) => card.raceDate === today);
  const laterCards = cards.filter((card) => card.raceDate !== today);
  return (
    <div className="grid gap-8">
      <Notices notices={notices} />
      <div className="grid gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid min-w-0 content-start gap-8">
          <section aria-labelledby="today">
            <SectionHeading
              id="today"
              aside={
                cardsOfToday.length === 0 ? null : (
                  <ButtonLink to="/tipster-dashboard/add" size="small">
                    Add tips
                  </ButtonLink>
                )
              }
            >
              Today, {formatDate(today, "short")}
            </SectionHeading>
            {cardsOfToday.length === 0 ? (
              <EmptyState
                compact
                drawing="raceCard"
                title="No race card for today"
                action={<ButtonLink to="/tipster-dashboard/add">Add Daily Racing Tips</ButtonLink>}
              >
                Publish one: one venue, one day, 1 to 12 races.
              </EmptyState>
            ) : (
              <>
                <TodaysTotals cards={cardsOfToday} />
                <CardList cards={cardsOfToday} currentTime={currentTime} />
              </>
            )}
          </section>
          {laterCards.length > 0 ? (
            <section aria-labelledby="later">
              <SectionHeading id="later">Later</SectionHeading>
              <CardList cards={laterCards} currentTime={currentTime} />
            </section>
          ) : null}
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <ResultsToMark count={toMark} />
          <ClosingTimes
            meetings={meetings}
            readAt={readAt}
            currentTime={currentTime}
            cutOffMinutes={cutOffMinutes}
          />
        </div>
      </div>
    </div>
  );
}

function TodaysTotals({ cards }: { cards: SoldCard[] }) {
  const sum = (key: "sales" | "priceCents" | "earnedCents") =>
    cards.reduce((total, card) => total + card[key], 0);
  return (
    <StatRow
      className="mt-3"
      stats={[
        { label: "Opened by", value: formatInteger(sum("sales")) },
        { label: "Taken", value: formatCents(sum("priceCents")) },
        { label: "Your share", value: formatCents(sum("earnedCents")) },
      ]}
    />
  );
}

function CardList({ cards, currentTime }: { cards: SoldCard[]; currentTime: Date }) {
  return (
    <ul>
      {cards.map((card) => (
        <li key={card.id} className="border-b border-rule py-4">
          <PublishedCard card={card} currentTime={currentTime} />
        </li>
      ))}
    </ul>
  );
}

function PublishedCard({ card, currentTime }: { card: SoldCard; currentTime: Date }) {
  const races = card.races.map(({ raceNumber, offAt }) => ({
    raceNumber,
    time: offAt === null ? null : timeAt(new Date(offAt)),
    isOver: card.closesAt <= currentTime || (offAt !== null && new Date(offAt) <= currentTime),
  }));
  const scratched = card.races.filter(({ scratchedAt }) => scratchedAt !== null);
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <TextLink to={`/race-cards/${card.id}`} standalone>
          {card.venueName}, <RaceDate date={card.raceDate} />
        </TextLink>
        <CardState card={card} races={races} currentTime={currentTime} />
      </p>
      <RaceStrip races={races} date={card.raceDate} />
      <p className="text-sm text-ink-2">
        {card.sales === 0
          ? "Not opened yet"
          : `Opened by ${formatInteger(card.sales)} · ${formatCents(card.priceCents)} taken · your share ${formatCents(card.earnedCents)}`}
      </p>
      {card.closesAt > currentTime ? (
        <p className="text-sm">
          <TextLink to={`/tipster-dashboard/race-cards/${card.id}/note`} standalone>
            Note to buyers
            <span className="sr-only">
              {" "}
              of {card.venueName}, {card.raceDate}
            </span>
          </TextLink>
        </p>
      ) : null}
      {scratched.length > 0 ? (
        <FormMessage type="warning" title="Scratched">
          {scratched
            .map(
              ({ raceNumber, horseNumber, horseName }) =>
                `Race ${raceNumber}: #${horseNumber} ${horseName}`,
            )
            .join(", ")}
          . Your buyers see it on the race card.
        </FormMessage>
      ) : null}
    </div>
  );
}

function CardState({
  card,
  races,
  currentTime,
}: {
  card: SoldCard;
  races: { isOver: boolean }[];
  currentTime: Date;
}) {
  const run = races.filter((race) => race.isOver).length;
  if (card.closesAt <= currentTime) return <Badge>Run</Badge>;
  if (!card.isSold) return <Badge tone="warn">Off sale</Badge>;
  return (
    <span className="text-sm text-ink-2">
      <Badge tone="green">On sale</Badge>
      {run > 0 ? ` ${run} of ${races.length} races run` : null}
    </span>
  );
}

function ResultsToMark({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Panel title={count === 1 ? "1 result to mark" : `${formatInteger(count)} results to mark`}>
      <p className="text-sm text-ink-2">
        A mark is your claim: it is shown as such and counts nowhere. Your record counts official
        results only.
      </p>
      <ButtonLink to="/tipster-dashboard/results" variant="secondary" className="mt-3">
        Mark results
      </ButtonLink>
    </Panel>
  );
}

/** When the next race of each meeting closes for tips, with the remaining time. */
function ClosingTimes({
  meetings,
  readAt,
  currentTime,
  cutOffMinutes,
}: {
  meetings: ClosingMeeting[];
  readAt: Date;
  currentTime: Date;
  cutOffMinutes: number;
}) {
  const open = meetings
    .flatMap((meeting) => {
      const next = meeting.closings.find(({ closesAt }) => closesAt > currentTime);
      return next ? [{ ...meeting, next }] : [];
    })
    .sort((a, b) => a.next.closesAt.getTime() - b.next.closesAt.getTime());
  return (
    <Panel title="Closing for tips">
      <p className="text-sm text-ink-2">
        A race closes for tips {describeCutOff(cutOffMinutes)}.
        {open.length === 0
          ? " No race of the next three days has a reported off that is open."
          : ""}
      </p>
      <ul className="mt-2">
        {open.map(({ venueId, venueName, raceDate, next, ownTips }) => (
          <li key={`${venueId} ${raceDate}`} className="border-t border-rule py-2 text-sm">
            <p className="flex flex-wrap justify-between gap-x-4">
              <span className="font-semibold">
                {venueName}, <RaceDate date={raceDate} />
              </span>
              <span className="text-ink-2">
                {ownTips === 0 ? "No tips yet" : ownTips === 1 ? "1 tip" : `${ownTips} tips`}
              </span>
            </p>
            <p>
              {/* The time stands last, because its width changes. */}
              Race {next.raceNumber} closes at {timeAt(next.closesAt)}, in{" "}
              <Countdown
                until={next.closesAt.toISOString()}
                now={readAt.toISOString()}
                endText="a moment"
              />
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
