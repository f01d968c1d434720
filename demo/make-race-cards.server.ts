import { findCreator } from "#creators/creators.server.ts";
import { dateAt } from "#domain/calendar.ts";
import { withClockAt } from "#platform/clock.server.ts";
import type { Venue } from "#racing/racing.server.ts";
import { publishBatch, readRaceCardsBetween } from "#tips/tips.server.ts";
import type { DemoDay } from "./demo-days.ts";
import type { People } from "./make-people.server.ts";
import { CREATORS } from "./people.ts";
import { type PlannedRaceCard, planTips } from "./planned-race-cards.ts";
import { runInOrderPerKey } from "./run-in-order-per-key.ts";

/** Returns the key that identifies a race card among the published ones. */
export function raceCardKey(creatorId: string, venueId: string, raceDate: string): string {
  return `${creatorId} ${venueId} ${raceDate}`;
}

/**
 * Publishes the race cards that are due, each once. Creators with `hasWorkForVisitors` publish a day's race
 * cards only after that day.
 */
export async function makeRaceCards(
  days: readonly DemoDay[],
  people: People,
  venues: ReadonlyMap<string, Venue>,
  at: Date,
): Promise<void> {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return;
  const published = await readRaceCardsBetween(first.raceDate, last.raceDate);
  const publishedKeys = new Set(
    published.map((card) => raceCardKey(card.creatorId, card.venueId, card.raceDate)),
  );
  const approvedAt = new Map<string, Date>();
  for (const { accountName } of CREATORS) {
    const creator = await findCreator(people.get(accountName) ?? "");
    if (creator) approvedAt.set(accountName, creator.approvedAt);
  }

  const duePublications = days
    .flatMap((day) => day.cards)
    .filter(({ creator, meeting, publishedAt }) => {
      const creatorApprovedAt = approvedAt.get(creator.accountName);
      const venue = venues.get(meeting.venueSlug);
      const creatorId = people.get(creator.accountName);
      if (
        !creatorApprovedAt ||
        !venue ||
        !creatorId ||
        publishedAt < creatorApprovedAt ||
        publishedAt > at
      )
        return false;
      if (creator.hasWorkForVisitors && meeting.raceDate >= dateAt(at)) return false;
      return !publishedKeys.has(raceCardKey(creatorId, venue.id, meeting.raceDate));
    })
    .sort((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime());
  await runInOrderPerKey(
    duePublications,
    ({ creator }) => creator.accountName,
    (card) => publish(card, people, venues),
  );
}

async function publish(
  card: PlannedRaceCard,
  people: People,
  venues: ReadonlyMap<string, Venue>,
): Promise<void> {
  const { creator, meeting, publishedAt } = card;
  const venue = venues.get(meeting.venueSlug) as Venue;
  // A refusal means that a visitor has published or changed something here, which must be kept.
  await withClockAt(publishedAt, () =>
    publishBatch(
      people.get(creator.accountName) as string,
      {
        idempotencyKey: `demo ${meeting.raceDate} ${meeting.venueSlug}`,
        venueId: venue.id,
        raceDate: meeting.raceDate,
        races: planTips(card, venue.name),
      },
      { sendsNotice: false },
    ),
  );
}
