import { addDays, instantAt } from "#domain/calendar.ts";
import { withClockAt } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import type { Venue } from "#racing/racing.server.ts";
import {
  correctResult,
  markResults,
  type RaceCardOfDay,
  readRaceCardsOfDays,
} from "#tips/tips.server.ts";
import { type PlannedCard, resultOf } from "./cards.ts";
import { dice } from "./dice.ts";
import { keyOf } from "./make-cards.server.ts";
import type { People } from "./make-people.server.ts";
import { withLanes } from "./with-lanes.ts";
import type { DemoDay } from "./world.ts";

/** How often a horse does not come under starter's orders. */
const NON_RUNNERS = 0.012;

/** How often a tipster with much to forget forgets a whole card. */
const FORGOTTEN = 0.05;

/** Settles what the demo's tipsters have got round to settling by an instant. */
export async function makeResults(
  days: readonly DemoDay[],
  people: People,
  venues: ReadonlyMap<string, Venue>,
  at: Date,
): Promise<void> {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return;
  const published = await readRaceCardsOfDays(first.raceDate, last.raceDate);
  const open = new Map(
    published
      .filter((card) => card.tips.some((tip) => tip.result === null))
      .map((card) => [keyOf(card.creatorId, card.venueId, card.raceDate), card]),
  );
  const adminId = people.get("admin") ?? "";
  const due = days
    .flatMap((day) => day.cards)
    .flatMap((card) => {
      const creatorId = people.get(card.creator.mailbox) ?? "";
      const venueId = venues.get(card.meeting.venueSlug)?.id ?? "";
      const standing = open.get(keyOf(creatorId, venueId, card.meeting.raceDate));
      const settledAt = settledInstant(card);
      if (!standing || settledAt === null || settledAt > at) return [];
      return [{ card, standing, settledAt }];
    })
    .sort((a, b) => a.settledAt.getTime() - b.settledAt.getTime());
  await withLanes(
    due,
    ({ card }) => card.creator.mailbox,
    ({ card, standing, settledAt }) =>
      withClockAt(settledAt, () => settle(card, standing, adminId)),
  );
}

/** When a card's results are marked; null when its author forgets. */
function settledInstant({ creator, meeting, races }: PlannedCard): Date | null {
  const chance = dice(meeting.raceDate, meeting.venueSlug, creator.displayName, "settles");
  if (creator.mailbox === "longshot.lulu" && chance.chance(FORGOTTEN)) return null;
  // The dashboard's tipster is two days behind, so that there is something to mark.
  if (creator.isIdleNow) return instantAt(addDays(meeting.raceDate, 2), "20:00");
  const lastOff = races.at(-1)?.offAt ?? instantAt(meeting.raceDate, "18:00");
  return new Date(lastOff.getTime() + chance.between(15, 90) * 60_000);
}

async function settle(card: PlannedCard, standing: RaceCardOfDay, adminId: string): Promise<void> {
  const open = standing.tips.filter((tip) => tip.result === null);
  const isNonRunner = (raceNumber: number, horseNumber: number) =>
    standing.tips.length > 1 &&
    dice(card.meeting.raceDate, card.meeting.venueSlug, raceNumber, horseNumber).chance(
      NON_RUNNERS,
    );
  const ran = open.filter((tip) => !isNonRunner(tip.raceNumber, tip.horseNumber));
  await markResults(
    standing.creatorId,
    ran.map((tip) => ({ tipId: tip.id, result: resultOf(card.meeting, tip) })),
  );
  for (const tip of open.filter((each) => !ran.includes(each)))
    await transaction((tx) =>
      correctResult(tx, {
        tipId: tip.id,
        result: "void",
        reason: "Non-runner: withdrawn by order of the veterinary surgeon",
        actorId: adminId,
      }),
    );
}
