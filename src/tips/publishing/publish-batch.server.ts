import { createHash } from "node:crypto";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { creators } from "#creators/creators.server.ts";
import { findBatchProblem, isLateTip, type RaceClosing } from "#domain/batch.ts";
import { type CalendarDate, instantAt } from "#domain/calendar.ts";
import { isSameHorseName } from "#domain/horse-key.ts";
import { composeTipText, type Tip, type TipResult } from "#domain/tip.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import {
  type DeclaredRace,
  findVenue,
  readDeclaredRaces,
  readOffTimes,
} from "#racing/racing.server.ts";
import { readVoidRaceCards } from "../set-tip-result.server.ts";
import { batches, raceCards, tips } from "../tables.server.ts";
import { addToRecord } from "../track-records.server.ts";
import type { BatchInput } from "./batch.input.ts";
import { enqueueBatchNotice } from "./batch-notice.server.ts";

export type BatchRefusal =
  | { refusal: "not-a-creator" | "suspended" | "unknown-venue" | "card-void" }
  | { refusal: "no-races" | "too-many-races" | "past-day" | "too-far-ahead" }
  | {
      refusal:
        | "race-out-of-range"
        | "duplicate-race"
        | "off-passed"
        | "race-taken"
        | "race-not-reported"
        | "race-has-result"
        | "runner-not-declared"
        | "runner-scratched";
      raceNumbers: number[];
    }
  | { refusal: "race-closed"; raceNumbers: number[]; closings: RaceClosing[] };

export type PublishBatchResult =
  | { ok: true; raceCardId: string; raceNumbers: number[] }
  | ({ ok: false } & BatchRefusal);

/**
 * Publishes a creator's races for one venue and day, all or none. Published tips never change. A
 * repeated request, with the same idempotency key and the same tips, returns the first result and
 * publishes nothing. Changed tips of these races are refused; other races with the key are another batch.
 */
export async function publishBatch(
  creatorId: string,
  batch: BatchInput,
  /** The operator is notified of each batch. The demo creates its history without notices. */
  { sendsNotice = true }: { sendsNotice?: boolean } = {},
): Promise<PublishBatchResult> {
  const { result, isNew } = await transaction((tx) => publish(tx, creatorId, batch, sendsNotice));
  if (isNew && sendsNotice) await publishUpdate("race-cards");
  return result;
}

async function publish(
  tx: Tx,
  creatorId: string,
  batch: BatchInput,
  sendsNotice: boolean,
): Promise<{ result: PublishBatchResult; isNew: boolean }> {
  const refuse = (refusal: BatchRefusal) =>
    ({ result: { ok: false, ...refusal }, isNew: false }) as const;
  // Serialises the batches of a creator, so that each sees the tips of the previous one.
  const [creator] = await tx
    .select({ name: creators.displayName, suspendedAt: creators.suspendedAt })
    .from(creators)
    .where(eq(creators.userId, creatorId))
    .for("no key update");
  if (!creator) return refuse({ refusal: "not-a-creator" });
  if (creator.suspendedAt) return refuse({ refusal: "suspended" });

  const { idempotencyKey, repeated } = await readKey(tx, creatorId, batch);
  if (repeated)
    return (await isSameBatch(tx, batch, repeated.raceCardId))
      ? { result: { ok: true, ...repeated }, isNew: false }
      : refuse({ refusal: "race-taken", raceNumbers: repeated.raceNumbers });

  const { venueId, raceDate } = batch;
  const reportedOffTimes = await readOffTimes(venueId, raceDate, tx);
  // After the lock of readOffTimes, so that a venue that is being deleted or deactivated gets no more tips.
  const venue = await findVenue(venueId, tx);
  if (!venue?.isActive) return refuse({ refusal: "unknown-venue" });
  // The time after the locks: a batch that waits for them past the cut-off is refused.
  const at = now();
  const races = batch.races
    .map((race) => {
      const enteredOffAt = race.raceTime ? instantAt(raceDate, race.raceTime) : null;
      return {
        ...race,
        enteredOffAt,
        reportedOffAt: reportedOffTimes.get(race.raceNumber) ?? null,
      };
    })
    .sort((a, b) => a.raceNumber - b.raceNumber);
  const problem = findBatchProblem(
    { raceDate, races },
    { at, cutOffMinutes: env().tipCutOffMinutes },
  );
  if (problem) return refuse(problem);
  const unreportedRaces = races.filter(
    (race) => reportedOffTimes.size > 0 && race.reportedOffAt === null,
  );
  if (unreportedRaces.length > 0)
    return refuse({
      refusal: "race-not-reported",
      raceNumbers: unreportedRaces.map((race) => race.raceNumber),
    });

  const racesWithResult = await findRacesWithResult(tx, { venueId, raceDate, races });
  if (racesWithResult.length > 0)
    return refuse({ refusal: "race-has-result", raceNumbers: racesWithResult });

  // The lock of readOffTimes keeps the runners from changing until the tips are published.
  const declaredRaces = await readDeclaredRaces(venueId, raceDate, tx);
  const runnerProblem = findRunnerProblem(races, declaredRaces);
  if (runnerProblem) return refuse(runnerProblem);
  const declaredNames = new Map(
    races.flatMap((race) => {
      const runner = findDeclaredRunner(race, declaredRaces);
      return runner ? [[race.raceNumber, runner.horseName] as const] : [];
    }),
  );

  const raceCardId = await findOrCreateRaceCard(tx, { creatorId, venueId, raceDate, at });
  const existingTips = await tx
    .select({ raceNumber: tips.raceNumber, result: tips.result, isActive: tips.isActive })
    .from(tips)
    .where(eq(tips.raceCardId, raceCardId))
    .orderBy(asc(tips.raceNumber));
  const publishedNumbers = existingTips
    .map((tip) => tip.raceNumber)
    .filter((raceNumber) => races.some((race) => race.raceNumber === raceNumber));
  if (publishedNumbers.length > 0)
    return refuse({ refusal: "race-taken", raceNumbers: publishedNumbers });

  // Buyers of a void race card have been refunded, so they would read an added race for free.
  if (isVoid(existingTips) || (await readVoidRaceCards(tx, [raceCardId])).length > 0)
    return refuse({ refusal: "card-void" });

  const raceNumbers = races.map((race) => race.raceNumber);
  await tx.insert(batches).values({
    creatorId,
    idempotencyKey,
    raceCardId,
    raceNumbers,
    createdAt: at,
  });
  await tx.insert(tips).values(
    races.map((race) => ({
      raceCardId,
      raceNumber: race.raceNumber,
      enteredOffAt: race.enteredOffAt,
      horseNumber: race.horseNumber,
      horseName: declaredNames.get(race.raceNumber) ?? race.horseName,
      tipType: race.tipType,
      confidence: race.confidence,
      analysis: race.analysis,
      tipText: composeTipText({
        ...race,
        horseName: declaredNames.get(race.raceNumber) ?? race.horseName,
      }),
      isLate: isLateTip(raceDate, race.reportedOffAt, at),
      wasOffKnown: race.reportedOffAt !== null,
      publishedAt: at,
    })),
  );
  if (sendsNotice)
    await enqueueBatchNotice(tx, {
      creatorName: creator.name,
      venueName: venue.name,
      raceDate,
      raceNumbers,
      publishedAt: at,
    });
  // All transactions of a creator contend for the record row, so it is locked last to keep the lock short.
  await addToRecord(tx, creatorId, { tips: races.length, settled: 0, won: 0 });
  return { result: { ok: true, raceCardId, raceNumbers }, isNew: true };
}

type PublishedBatch = { raceCardId: string; raceNumbers: number[] };

/**
 * Returns the batch that the creator has published with this key for the same venue, day and race numbers, or null,
 * and the key under which such a batch is stored. After a lost response a form can be sent with other races: they are
 * stored under a key of their own, so that they too are published only once.
 */
async function readKey(
  tx: Tx,
  creatorId: string,
  { idempotencyKey: sentKey, venueId, raceDate, races }: BatchInput,
): Promise<{ idempotencyKey: string; repeated: PublishedBatch | null }> {
  const raceNumbers = races.map((race) => race.raceNumber).sort((one, other) => one - other);
  const keyOfRaces = createHash("sha256")
    .update(JSON.stringify([sentKey, venueId, raceDate, raceNumbers]))
    .digest("hex");
  const stored = await tx
    .select({
      key: batches.idempotencyKey,
      raceCardId: batches.raceCardId,
      raceNumbers: batches.raceNumbers,
      venueId: raceCards.venueId,
      raceDate: raceCards.raceDate,
    })
    .from(batches)
    .innerJoin(raceCards, eq(raceCards.id, batches.raceCardId))
    .where(
      and(eq(batches.creatorId, creatorId), inArray(batches.idempotencyKey, [sentKey, keyOfRaces])),
    );
  const repeated = stored.find(
    (each) =>
      each.venueId === venueId &&
      each.raceDate === raceDate &&
      each.raceNumbers.join() === raceNumbers.join(),
  );
  return {
    idempotencyKey: stored.some(({ key }) => key === sentKey) ? keyOfRaces : sentKey,
    repeated: repeated
      ? { raceCardId: repeated.raceCardId, raceNumbers: repeated.raceNumbers }
      : null,
  };
}

/**
 * Returns true if the tips of a batch are those published for its races. The declared name of a horse stands for any
 * way of writing it, and an entered off time does not count once the off is reported, because the form leaves it out.
 */
async function isSameBatch(tx: Tx, batch: BatchInput, raceCardId: string): Promise<boolean> {
  const { venueId, raceDate } = batch;
  const declaredRaces = await readDeclaredRaces(venueId, raceDate, tx);
  const nameOf = (named: NamedHorse) =>
    findDeclaredRunner(named, declaredRaces)?.horseName ?? named.horseName;
  const published = new Map(
    (await tx.select().from(tips).where(eq(tips.raceCardId, raceCardId))).map((tip) => [
      tip.raceNumber,
      tip,
    ]),
  );
  return batch.races.every((race) => {
    const tip = published.get(race.raceNumber);
    if (!tip) return false;
    const enteredOffAt = race.raceTime ? instantAt(raceDate, race.raceTime) : null;
    return (
      tip.horseNumber === race.horseNumber &&
      nameOf(tip) === nameOf(race) &&
      tip.tipType === race.tipType &&
      tip.confidence === race.confidence &&
      tip.analysis === race.analysis &&
      (declaredRaces.some(({ raceNumber }) => raceNumber === race.raceNumber) ||
        tip.enteredOffAt?.getTime() === enteredOffAt?.getTime())
    );
  });
}

/** Returns the races with an official result. An abandoned race can have one before its off. */
async function findRacesWithResult(
  tx: Tx,
  batch: { venueId: string; raceDate: CalendarDate; races: readonly { raceNumber: number }[] },
): Promise<number[]> {
  const { rows } = await tx.execute<{ raceNumber: number }>(sql`
    select race_number as "raceNumber" from official_results
    where venue_id = ${batch.venueId} and race_date = ${batch.raceDate}`);
  const settled = new Set(rows.map((row) => row.raceNumber));
  return batch.races.map((race) => race.raceNumber).filter((number) => settled.has(number));
}

type NamedHorse = Pick<Tip, "raceNumber" | "horseNumber" | "horseName">;

/**
 * Returns the races whose horse is not declared or is scratched, or null. If a race has declared runners,
 * the number and name must match one of them; otherwise any horse is accepted.
 */
function findRunnerProblem(
  named: readonly NamedHorse[],
  declaredRaces: readonly DeclaredRace[],
): BatchRefusal | null {
  const undeclared: number[] = [];
  const scratched: number[] = [];
  for (const { raceNumber, horseNumber, horseName } of named) {
    const runners = declaredRaces.find((race) => race.raceNumber === raceNumber)?.runners ?? [];
    if (runners.length === 0) continue;
    const runner = findDeclaredRunner({ raceNumber, horseNumber, horseName }, declaredRaces);
    if (!runner) undeclared.push(raceNumber);
    else if (runner.isScratched) scratched.push(raceNumber);
  }
  if (undeclared.length > 0) return { refusal: "runner-not-declared", raceNumbers: undeclared };
  return scratched.length > 0 ? { refusal: "runner-scratched", raceNumbers: scratched } : null;
}

/** Returns the declared runner with this number and name, which may be misspelt, or undefined. */
function findDeclaredRunner(
  { raceNumber, horseNumber, horseName }: NamedHorse,
  declaredRaces: readonly DeclaredRace[],
): DeclaredRace["runners"][number] | undefined {
  const runners = declaredRaces.find((race) => race.raceNumber === raceNumber)?.runners ?? [];
  const runner = runners.find(({ number }) => number === horseNumber);
  const others = runners.filter((each) => each !== runner).map((each) => each.horseName);
  return runner && isSameHorseName(horseName, runner.horseName, others) ? runner : undefined;
}

/** Returns true if a race card is void: it has a void tip, and no visible tip is not void. */
function isVoid(cardTips: readonly { result: TipResult | null; isActive: boolean }[]): boolean {
  return (
    cardTips.some((tip) => tip.result === "void") &&
    cardTips.every((tip) => tip.result === "void" || !tip.isActive)
  );
}

async function findOrCreateRaceCard(
  tx: Tx,
  card: { creatorId: string; venueId: string; raceDate: string; at: Date },
): Promise<string> {
  const { creatorId, venueId, raceDate, at } = card;
  const [existing] = await tx
    .select({ id: raceCards.id })
    .from(raceCards)
    .where(
      and(
        eq(raceCards.creatorId, creatorId),
        eq(raceCards.venueId, venueId),
        eq(raceCards.raceDate, raceDate),
      ),
    );
  if (existing) return existing.id;
  const [created] = await tx
    .insert(raceCards)
    .values({ creatorId, venueId, raceDate, publishedAt: at })
    .returning({ id: raceCards.id });
  if (!created) throw new Error("the insert of a race card returned no row");
  return created.id;
}
