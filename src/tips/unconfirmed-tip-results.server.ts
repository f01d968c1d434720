import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import type { TipResult } from "#domain/tip.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { queryPrepared, type Tx, transaction } from "#platform/database.server.ts";
import { tipResults } from "./tables.server.ts";

/** One tip, or all tips of a race card if `tipId` is null. */
type Subject = { raceCardId: string; tipId: string | null };

type Author = { id: string; isOnePerson: boolean };

/** Returns the admin as an author of a result, or null if they have tips in its races and others have none. */
export async function findAuthor(
  tx: Tx,
  { raceCardId, tipId }: Subject,
  actorId: string,
): Promise<Author | null> {
  const { rows } = await tx.execute<Author>(sql`
    select a.user_id as id, a.is_one_person as "isOnePerson"
    from race_cards c cross join lateral list_result_authors(
      c.venue_id, c.race_date, race_numbers_of_tips(c.id, ${tipId}::uuid)) a
    where c.id = ${raceCardId} and a.user_id = ${actorId}::uuid`);
  return rows[0] ?? null;
}

/**
 * Stores the result that an admin entered, and returns whether two admins agree on it. Confirms it if another admin has
 * entered the same, or if fewer than two admins are without tips; the database then marks it as the work of one person. The caller must have locked the tips,
 * and set a confirmed result in the same transaction, with `at` as its time. Idempotent.
 */
export async function addTipResultEntry(
  tx: Tx,
  author: Author,
  entry: Subject & { result: TipResult; reason: string; at: Date },
): Promise<"waiting" | "different" | { isEnteredByOnePerson: boolean; reason: string }> {
  const { raceCardId, tipId, result, reason, at } = entry;
  const audit = (action: "enter-tip-result" | "differ-on-tip-result") =>
    writeAudit(tx, {
      actorId: author.id,
      action,
      subject: formatSubject(entry),
      // Without the result, because the other admin must enter it without seeing it.
      details: { reason },
    });
  let [waiting] = await tx
    .select()
    .from(tipResults)
    .where(
      and(
        eq(tipResults.raceCardId, raceCardId),
        tipId === null ? isNull(tipResults.tipId) : eq(tipResults.tipId, tipId),
        isNull(tipResults.confirmedAt),
      ),
    )
    .for("update");
  const isOwn = waiting?.enteredBy === author.id;
  if (waiting && !isOwn && waiting.result !== result) {
    await audit("differ-on-tip-result");
    return "different";
  }
  if (!waiting || (isOwn && waiting.result !== result)) {
    if (waiting) await tx.delete(tipResults).where(eq(tipResults.id, waiting.id));
    [waiting] = await tx
      .insert(tipResults)
      .values({ raceCardId, tipId, result, reason, enteredBy: author.id, enteredAt: at })
      .returning();
    await audit("enter-tip-result");
  }
  if (!waiting) throw new Error("the result of a tip was not stored");
  if (waiting.enteredBy === author.id && !author.isOnePerson) return "waiting";
  const [confirmed] = await tx
    .update(tipResults)
    .set({
      confirmedBy: author.id,
      confirmedAt: at,
      isEnteredByOnePerson: waiting.enteredBy === author.id,
    })
    .where(eq(tipResults.id, waiting.id))
    .returning();
  if (!confirmed) throw new Error("the result of a tip was not confirmed");
  return confirmed;
}

const formatSubject = ({ raceCardId, tipId }: Subject) => tipId ?? `race-cards/${raceCardId}`;

/** Deletes what was entered for these tips and is not confirmed, because the tips have a newer result. */
export async function deleteUnconfirmedTipResults(tx: Tx, tipIds: string[]): Promise<void> {
  await tx
    .delete(tipResults)
    .where(and(inArray(tipResults.tipId, tipIds), isNull(tipResults.confirmedAt)));
}

/** Discards an unconfirmed result of a tip or a race card, for an admin. Returns false if there is none. */
export async function discardTipResult(actorId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  return await transaction(async (tx) => {
    const [discarded] = await tx
      .delete(tipResults)
      .where(and(eq(tipResults.id, id), isNull(tipResults.confirmedAt)))
      .returning();
    if (!discarded) return false;
    const { result, reason } = discarded;
    await writeAudit(tx, {
      actorId,
      action: "discard-tip-result",
      subject: formatSubject(discarded),
      details: { result, reason },
    });
    return true;
  });
}

/** A result of a tip or a race card that waits until another admin enters it too. It omits the result. */
type UnconfirmedTipResult = {
  id: string;
  raceCardId: string;
  /** Null for a race card that is to be voided. */
  tipId: string | null;
  /** Null for a race card. */
  raceNumber: number | null;
  venueName: string;
  raceDate: string;
  reason: string;
  enteredBy: string;
  enteredAt: Date;
  /** True if the admin that the list is for may enter it too. */
  mayConfirm: boolean;
};

/** Returns the unconfirmed results of tips and race cards for this admin, in the order of their entry. */
export async function listUnconfirmedTipResults(
  actorId: string,
  { raceCardId = null, limit = 100 }: { raceCardId?: string | null; limit?: number } = {},
): Promise<UnconfirmedTipResult[]> {
  return await queryPrepared<UnconfirmedTipResult>(
    "unconfirmed-tip-results",
    `select r.id, r.race_card_id as "raceCardId", r.tip_id as "tipId", t.race_number as "raceNumber",
      v.name as "venueName", c.race_date as "raceDate", r.reason, r.entered_by as "enteredBy",
      r.entered_at as "enteredAt", exists (
        select from list_result_authors(c.venue_id, c.race_date, race_numbers_of_tips(c.id, r.tip_id)) a
        where a.user_id = $1 and (a.is_one_person or r.entered_by <> $1)) as "mayConfirm"
    from tip_results r
    join race_cards c on c.id = r.race_card_id
    join venues v on v.id = c.venue_id
    left join tips t on t.id = r.tip_id
    where r.confirmed_at is null and ($2::uuid is null or r.race_card_id = $2)
    order by r.entered_at, r.id limit $3`,
    [actorId, raceCardId, limit],
  );
}

/** Returns the number of unconfirmed results of tips and race cards. */
export async function countUnconfirmedTipResults(): Promise<number> {
  const [row] = await queryPrepared<{ results: number }>(
    "count-unconfirmed-tip-results",
    "select count(*)::int as results from tip_results where confirmed_at is null",
    [],
  );
  return row?.results ?? 0;
}
