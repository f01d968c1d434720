import { addDays, type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import { computeSettleableAt } from "#domain/race-day.ts";
import { returnCoins } from "#payments/payments.server.ts";
import { withClockAt } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import {
  confirmRaceResult,
  enterAbandonedMeeting,
  enterRaceResult,
  listRacesWithoutResult,
  listUnconfirmedResults,
  type RaceReference,
  type RaceResultInput,
  readRaceForResult,
  toSecondEntry,
  type UnconfirmedResult,
  type Venue,
} from "#racing/racing.server.ts";
import { skipEmailsForCoinsReturnedBefore } from "#sales/sales.server.ts";
import {
  markResults,
  type RaceCardWithTips,
  readRaceCardsBetween,
  setTipResult,
} from "#tips/tips.server.ts";
import type { DemoDay } from "./demo-days.ts";
import type { People } from "./make-people.server.ts";
import { raceCardKey } from "./make-race-cards.server.ts";
import type { PlannedRaceCard } from "./planned-race-cards.ts";
import {
  deriveResult,
  hasOfficialResults,
  isAbandoned,
  isForgotten,
  type PlannedResult,
  planClaim,
  planResults,
  RESULT_SOURCE,
} from "./planned-results.ts";
import { seededRandom } from "./random.ts";
import { runInOrderPerKey } from "./run-in-order-per-key.ts";

/** Something that happens at a meeting. */
type Event = { at: Date; meetingKey: string; run: () => Promise<unknown> };

/**
 * Marks tips, and enters, confirms and corrects official results whose time has passed. Works in
 * chronological order within a meeting, because the result of a tip depends on the order of these events.
 */
export async function makeResults(
  days: readonly DemoDay[],
  people: People,
  venues: ReadonlyMap<string, Venue>,
  at: Date,
): Promise<void> {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return;
  const events = [
    ...(await listClaims(days, people, venues, at)),
    ...(await listResultEvents(days, people, venues, at)),
  ].filter((event) => event.at <= at);
  events.sort((a, b) => a.at.getTime() - b.at.getTime());
  await runInOrderPerKey(
    events,
    (event) => event.meetingKey,
    (event) => withClockAt(event.at, event.run),
  );
  await returnCoinsForVoidTips(first.raceDate, last.raceDate, at);
}

/**
 * Returns the coins for void races. Dates the returns at the end of the history, because sales of later days
 * already exist and statements must be chronological. Does not email buyers about past days.
 */
async function returnCoinsForVoidTips(
  firstDate: CalendarDate,
  lastDate: CalendarDate,
  at: Date,
): Promise<void> {
  const raceCardIds = (await readRaceCardsBetween(firstDate, lastDate))
    .filter((card) => card.tips.some((tip) => tip.result === "void"))
    .map((card) => card.raceCardId);
  await returnCoins.run({ raceCardIds, soldUntil: at.toISOString() }, { isLast: true });
  await skipEmailsForCoinsReturnedBefore(dateAt(at));
}

/** Returns the events that mark the tips of race cards with unsettled tips. */
async function listClaims(
  days: readonly DemoDay[],
  people: People,
  venues: ReadonlyMap<string, Venue>,
  at: Date,
): Promise<Event[]> {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const publishedRaceCards = new Map(
    (await readRaceCardsBetween(first.raceDate, last.raceDate))
      .filter((card) => card.tips.some((tip) => tip.result === null))
      .map((card) => [raceCardKey(card.creatorId, card.venueId, card.raceDate), card]),
  );
  return days.flatMap(({ cards }) =>
    cards.flatMap((plannedCard) => {
      const { creator, meeting } = plannedCard;
      const venueId = venues.get(meeting.venueSlug)?.id ?? "";
      const publishedCard = publishedRaceCards.get(
        raceCardKey(people.get(creator.accountName) ?? "", venueId, meeting.raceDate),
      );
      const markedAt = planMarkingTime(plannedCard);
      if (!publishedCard || markedAt === null) return [];
      const isOfficial = hasOfficialResults(meeting, at);
      const officialRaces = new Set(
        (isOfficial ? planResults(meeting, cards) : [])
          .filter(({ confirmedAt }) => confirmedAt <= markedAt)
          .map(({ race }) => race.raceNumber),
      );
      const tips = publishedCard.tips.filter(({ raceNumber }) => !officialRaces.has(raceNumber));
      if (tips.length === 0) return [];
      const meetingKey = `${venueId} ${meeting.raceDate}`;
      const voidedBy = isOfficial
        ? []
        : ["second.admin", "admin"].flatMap((name) => people.get(name) ?? []);
      const run = () => markTips(plannedCard, { ...publishedCard, tips }, voidedBy);
      return [{ at: markedAt, meetingKey, run }];
    }),
  );
}

/** Returns the time at which the creator marks the results of a race card, or null for never. */
function planMarkingTime({ creator, meeting, races }: PlannedRaceCard): Date | null {
  const random = seededRandom(meeting.raceDate, meeting.venueSlug, creator.displayName, "settles");
  if (creator.accountName === "longshot.lulu" && isForgotten(meeting)) return null;
  // These creators mark results two days late, so that a visitor finds tips to mark.
  if (creator.hasWorkForVisitors) return instantAt(addDays(meeting.raceDate, 2), "20:00");
  const lastOff = races.at(-1)?.offAt ?? computeSettleableAt(meeting.raceDate, null);
  return new Date(lastOff.getTime() + random.between(15, 90) * 60_000);
}

/**
 * Marks the tips of a race card that have no official result. If `voidedBy` are the admins because no official
 * result will follow, they void the tips on non-runners.
 */
async function markTips(
  { creator, meeting }: PlannedRaceCard,
  { creatorId, tips }: RaceCardWithTips,
  voidedBy: readonly string[],
): Promise<void> {
  const openTips = tips.filter((tip) => tip.result === null);
  const marks = openTips.flatMap((tip) => {
    const result = planClaim(creator, meeting, tip);
    return result ? [{ tipId: tip.id, result }] : [];
  });
  const outcome = await markResults(creatorId, marks);
  if (!outcome.ok && outcome.refusal === "has-result") {
    const unsettled = marks.filter(({ tipId }) => !outcome.tipIds.includes(tipId));
    await markResults(creatorId, unsettled);
  }
  for (const tip of openTips.filter((each) => deriveResult(meeting, each) === "void"))
    for (const actorId of voidedBy)
      await transaction((tx) =>
        setTipResult(tx, {
          tipId: tip.id,
          result: "void",
          reason: "Non-runner: withdrawn by order of the veterinary surgeon",
          actorId,
        }),
      );
}

/** Returns the events that are still missing for the official results of the given days. */
async function listResultEvents(
  days: readonly DemoDay[],
  people: People,
  venues: ReadonlyMap<string, Venue>,
  at: Date,
): Promise<Event[]> {
  const [first] = days;
  if (!first) return [];
  const withoutResult = new Set((await listRacesWithoutResult(first.raceDate, at)).map(toRaceKey));
  const unconfirmed = new Map(
    (await listUnconfirmedResults(10_000)).map((result) => [toRaceKey(result), result]),
  );
  const admins = { admin: people.get("admin") ?? "", second: people.get("second.admin") ?? "" };
  return days.flatMap(({ raceDate, meetings, cards }) =>
    meetings.flatMap((meeting) => {
      const venueId = venues.get(meeting.venueSlug)?.id;
      if (!venueId) return [];
      const races = meeting.races.map(({ raceNumber }) => ({ venueId, raceDate, raceNumber }));
      if (
        !hasOfficialResults(meeting, at) &&
        !races.some((race) => unconfirmed.has(toRaceKey(race)))
      )
        return [];
      // The second admin enters the results of the main meeting, so that visitors, who sign in as the first
      // admin, can confirm them.
      const [enteringId, confirmingId] = meeting.isMain
        ? [admins.second, admins.admin]
        : [admins.admin, admins.second];
      return planResults(meeting, cards).flatMap((planned) => {
        const race = { venueId, raceDate, raceNumber: planned.race.raceNumber };
        const { abandonedFrom } = meeting;
        // The races of an abandoned meeting are entered together with its first abandoned one.
        const raceNumber = isAbandoned(meeting, race.raceNumber) ? abandonedFrom : race.raceNumber;
        return listEventsOfRace({
          planned,
          race,
          enteringId,
          confirmingId,
          hasNoResult: withoutResult.has(
            toRaceKey({ ...race, raceNumber: raceNumber ?? race.raceNumber }),
          ),
          unconfirmed: unconfirmed.get(toRaceKey(race)) ?? null,
          at,
        });
      });
    }),
  );
}

function toRaceKey({ venueId, raceDate, raceNumber }: RaceReference): string {
  return `${venueId} ${raceDate} ${raceNumber}`;
}

type RaceToReport = {
  planned: PlannedResult;
  race: RaceReference;
  enteringId: string;
  confirmingId: string;
  hasNoResult: boolean;
  unconfirmed: UnconfirmedResult | null;
  at: Date;
};

function listEventsOfRace(report: RaceToReport): Event[] {
  const { planned, race, enteringId, unconfirmed, hasNoResult, at } = report;
  const { unofficialAt, enteredAt, confirmedAt, entry, correction } = planned;
  const meetingKey = `${race.venueId} ${race.raceDate}`;
  // A result entered at any other time is a visitor's and must be kept.
  const isOwn =
    unconfirmed?.enteredBy === enteringId &&
    [unofficialAt, enteredAt].some((time) => time?.getTime() === unconfirmed.enteredAt.getTime());
  const events: Event[] = [];
  let resultId = isOwn ? unconfirmed.id : null;
  if (hasNoResult && unofficialAt && enteredAt > at)
    events.push({
      at: unofficialAt,
      meetingKey,
      run: () => enter(report, { ...entry, status: "unofficial" }),
    });
  if (hasNoResult || (isOwn && unconfirmed.status === "unofficial"))
    events.push({
      at: enteredAt,
      meetingKey,
      run: async () => {
        resultId = await enter(report, entry);
      },
    });
  if (hasNoResult || isOwn)
    events.push({
      at: confirmedAt,
      meetingKey,
      run: () => confirm(report, entry, resultId),
    });
  if (correction)
    events.push({
      at: correction.enteredAt,
      meetingKey,
      run: () => enterCorrection(report, correction.entry),
    });
  if (correction)
    events.push({
      at: correction.confirmedAt,
      meetingKey,
      run: () => confirm(report, correction.entry, null),
    });
  return events;
}

/**
 * Enters a result and returns its id, or null if it was refused. Enters all races of an abandoned meeting
 * together with the first one.
 */
async function enter(
  { planned, race, enteringId, unconfirmed }: RaceToReport,
  entry: RaceResultInput,
): Promise<string | null> {
  const { venueId, raceDate, raceNumber } = race;
  if (entry.status !== "abandoned") {
    const replaces = unconfirmed?.id ?? null;
    const outcome = await enterRaceResult(enteringId, race, entry, { via: "form", replaces });
    return outcome.ok ? outcome.result.id : null;
  }
  if (raceNumber === planned.meeting.abandonedFrom)
    await enterAbandonedMeeting(enteringId, {
      venueId,
      raceDate,
      firstRaceNumber: raceNumber,
      source: RESULT_SOURCE,
      sourceUrl: null,
    });
  return null;
}

/** Confirms a result that the demo entered. Does nothing if a visitor discarded or replaced it. */
async function confirm(
  { race, enteringId, confirmingId }: RaceToReport,
  { reason }: RaceResultInput,
  resultId: string | null,
): Promise<void> {
  const unconfirmed = (await readRaceForResult(race))?.unconfirmed;
  if (unconfirmed?.enteredBy !== enteringId || unconfirmed.reason !== reason) return;
  if (resultId !== null && unconfirmed.id !== resultId) return;
  const second = toSecondEntry(unconfirmed);
  await confirmRaceResult(confirmingId, race, { resultId: unconfirmed.id, second });
}

/** Corrects the result that the demo entered, once. */
async function enterCorrection(
  { race, enteringId }: RaceToReport,
  entry: RaceResultInput,
): Promise<void> {
  const { unconfirmed, confirmed = [] } = (await readRaceForResult(race)) ?? {};
  const [official] = confirmed;
  if (unconfirmed || confirmed.length !== 1 || official?.enteredBy !== enteringId) return;
  await enterRaceResult(enteringId, race, entry, { via: "form" });
}
