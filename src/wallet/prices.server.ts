import { desc, sql } from "drizzle-orm";
import { addDays, type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import { COIN_PACKS, createPriceList, GUEST_DEAL, type PriceList } from "#domain/coin-packs.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import {
  database,
  isDatabaseUnavailable,
  type Tx,
  transaction,
} from "#platform/database.server.ts";
import { prices } from "./tables.server.ts";

/** The part of a race card's price that its creator earns, in per cent. */
export const CREATOR_SHARE = "creator-share";

/** What has a price: the creators' share, and the coin packs by their ids. */
export const PRICE_SUBJECTS = [CREATOR_SHARE, ...[...COIN_PACKS, GUEST_DEAL].map(({ id }) => id)];

/** The rand price of a race card and what its creator earns from each sale. */
export type SaleTerms = { priceCents: number; earningCents: number; sharePercent: number };

export type PriceChange = {
  id: number;
  subject: string;
  /** Null for the first prices. */
  validFrom: Date | null;
  /** Cents, or per cent for the creators' share. */
  value: number;
  /** The admin who changed the price; null for the first prices. */
  createdBy: string | null;
};

export type ChangePriceResult =
  | { ok: true }
  | { ok: false; refusal: "too-early" | "too-far-ahead" | "unchanged" };

/** A change made shortly before midnight must be committed and read by every process before the next day. */
const NOTICE_MS = 60 * 60 * 1000;
const MAX_DAYS_AHEAD = 365;
/** Every page reads the prices. Much shorter than the notice, so no process applies an earlier price. */
const MEMORY_MS = 60 * 1000;

let memory: { changes: PriceChange[]; readAtMs: number } | null = null;

/** Returns all prices, past, present and future, the latest first. */
export async function listPriceChanges(tx?: Tx): Promise<PriceChange[]> {
  return await (tx ?? database())
    .select({
      id: prices.id,
      subject: prices.subject,
      validFrom: sql<Date | null>`nullif(${prices.validFrom}, '-infinity')`.mapWith(
        prices.validFrom,
      ),
      value: prices.value,
      createdBy: prices.createdBy,
    })
    .from(prices)
    .orderBy(desc(prices.validFrom), desc(prices.id));
}

/** Returns the prices of coin packs at an instant, by default now. */
export async function readPrices(at: Date = now(), tx?: Tx): Promise<PriceList> {
  return toPriceList(await readChanges(tx), at);
}

/** Returns the terms of sales that are made at an instant, by default now. */
export async function readSaleTerms(at: Date = now(), tx?: Tx): Promise<SaleTerms> {
  const changes = await readChanges(tx);
  const { cardCents: priceCents } = toPriceList(changes, at);
  const sharePercent = findValue(changes, CREATOR_SHARE, at);
  if (sharePercent === undefined) throw new Error("the first share of creators is missing");
  return { priceCents, earningCents: (priceCents * sharePercent) / 100, sharePercent };
}

/** Returns all prices from memory, also older ones while the database is unavailable. */
async function readChanges(tx?: Tx): Promise<PriceChange[]> {
  if (memory && performance.now() - memory.readAtMs < MEMORY_MS) return memory.changes;
  try {
    const readAtMs = performance.now();
    memory = { changes: await listPriceChanges(tx), readAtMs };
  } catch (error) {
    if (!memory || !isDatabaseUnavailable(error)) throw error;
  }
  return memory.changes;
}

function findValue(changes: PriceChange[], subject: string, at: Date): number | undefined {
  return changes.find(
    (change) => change.subject === subject && (change.validFrom === null || change.validFrom <= at),
  )?.value;
}

function toPriceList(changes: PriceChange[], at: Date): PriceList {
  return createPriceList(
    Object.fromEntries(
      PRICE_SUBJECTS.flatMap((subject) => {
        const value = findValue(changes, subject, at);
        return value === undefined ? [] : [[subject, value]];
      }),
    ),
  );
}

/** Returns the first day from which a change made now can apply. */
export function findFirstChangeDate(): CalendarDate {
  return addDays(dateAt(new Date(now().getTime() + NOTICE_MS)), 1);
}

/**
 * Changes the price of a coin pack in cents, or the creators' share in per cent, from a day on, for an admin. Past orders
 * and sales keep theirs. A later change from the same day replaces an earlier one. Refuses the value that already applies
 * on that day, so that a repeated request changes nothing.
 */
export async function changePrice(
  actorId: string,
  { subject, value, from }: { subject: string; value: number; from: CalendarDate },
): Promise<ChangePriceResult> {
  if (from < findFirstChangeDate()) return { ok: false, refusal: "too-early" };
  if (from > addDays(dateAt(now()), MAX_DAYS_AHEAD)) return { ok: false, refusal: "too-far-ahead" };
  const validFrom = instantAt(from);
  const result = await transaction(async (tx): Promise<ChangePriceResult> => {
    // Concurrent changes are made one after the other.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('wallet prices'))`);
    const changes = await listPriceChanges(tx);
    const previous = findValue(changes, subject, validFrom);
    if (previous === undefined) throw new Error(`nothing is called ${subject}`);
    if (value === previous) return { ok: false, refusal: "unchanged" };
    await tx
      .insert(prices)
      .values({ subject, validFrom, value, createdBy: actorId, createdAt: now() });
    await writeAudit(tx, {
      actorId,
      action: "change-price",
      subject,
      details: { from, value, previous },
    });
    return { ok: true };
  });
  memory = null;
  return result;
}
