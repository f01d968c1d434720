import { addDays, instantAt } from "#domain/calendar.ts";
import { settleableFrom } from "#domain/race-day.ts";
import { withClockAt } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import type { Venue } from "#racing/racing.server.ts";
import {
  correctResult,
  markResults,
  type RaceCardWithTips,
  readRaceCardsBetween,
} from "#tips/tips.server.ts";
import type { DemoDay } from "./demo-days.ts";
import type { People } from "./make-people.server.ts";
import { raceCardKey } from "./make-race-cards.server.ts";
import { deriveResult, type PlannedRaceCard } from "./planned-race-cards.ts";
import { seededRandom } from "./random.ts";
import { runInOrderPerKey } from "./run-in-order-per-key.ts";

/** The probability that a horse is a non-runner. */
const NON_RUNNER_RATE = 0.012;

/** The probability that the tipster `longshot.lulu` marks no results of a race card. */
const UNMARKED_RATE = 0.05;

/** Settles the tips whose settling time has passed. */
export async function makeResults(
  days: readonly DemoDay[],
  people: People,
  venues: ReadonlyMap<string, Venue>,
  at: Date,
): Promise<void> {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return;
  const published = await readRaceCardsBetween(first.raceDate, last.raceDate);
  const openRaceCards = new Map(
    published
      .filter((card) => card.tips.some((tip) => tip.result === null))
      .map((card) => [raceCardKey(card.creatorId, card.venueId, card.raceDate), card]),
  );
  const adminId = people.get("admin") ?? "";
  const dueResults = days
    .flatMap((day) => day.cards)
    .flatMap((card) => {
      const creatorId = people.get(card.creator.mailbox) ?? "";
      const venueId = venues.get(card.meeting.venueSlug)?.id ?? "";
      const raceCard = openRaceCards.get(raceCardKey(creatorId, venueId, card.meeting.raceDate));
      const settledAt = settlingTime(card);
      if (!raceCard || settledAt === null || settledAt > at) return [];
      return [{ card, raceCard, settledAt }];
    })
    .sort((a, b) => a.settledAt.getTime() - b.settledAt.getTime());
  await runInOrderPerKey(
    dueResults,
    ({ card }) => card.creator.mailbox,
    ({ card, raceCard, settledAt }) =>
      withClockAt(settledAt, () => settle(card, raceCard, adminId)),
  );
}

/** Returns the time at which the creator marks the results of a race card, or null for never. */
function settlingTime({ creator, meeting, races }: PlannedRaceCard): Date | null {
  const random = seededRandom(meeting.raceDate, meeting.venueSlug, creator.displayName, "settles");
  if (creator.mailbox === "longshot.lulu" && random.chance(UNMARKED_RATE)) return null;
  // These creators settle two days late, so that a visitor finds tips to mark.
  if (creator.isIdleNow) return instantAt(addDays(meeting.raceDate, 2), "20:00");
  const lastOff = races.at(-1)?.offAt ?? settleableFrom(meeting.raceDate, null);
  return new Date(lastOff.getTime() + random.between(15, 90) * 60_000);
}

async function settle(
  card: PlannedRaceCard,
  raceCard: RaceCardWithTips,
  adminId: string,
): Promise<void> {
  const openTips = raceCard.tips.filter((tip) => tip.result === null);
  const isNonRunner = (raceNumber: number, horseNumber: number) =>
    raceCard.tips.length > 1 &&
    seededRandom(card.meeting.raceDate, card.meeting.venueSlug, raceNumber, horseNumber).chance(
      NON_RUNNER_RATE,
    );
  const runnerTips = openTips.filter((tip) => !isNonRunner(tip.raceNumber, tip.horseNumber));
  await markResults(
    raceCard.creatorId,
    runnerTips.map((tip) => ({ tipId: tip.id, result: deriveResult(card.meeting, tip) })),
  );
  for (const tip of openTips.filter((tip) => !runnerTips.includes(tip)))
    await transaction((tx) =>
      correctResult(tx, {
        tipId: tip.id,
        result: "void",
        reason: "Non-runner: withdrawn by order of the veterinary surgeon",
        actorId: adminId,
      }),
    );
}
