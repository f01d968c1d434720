import { sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { queryPrepared, type Tx, transaction } from "#platform/database.server.ts";
import type { NoteInput } from "./note.input.ts";

/** The largest number of notes of one race card. */
export const MAX_NOTES = 10;

/** A note of a creator to the buyers of a race card. */
export type RaceCardNote = { id: string; raceCardId: string; body: string; createdAt: Date };

export type AddNoteResult =
  | { ok: true; noteId: string }
  | {
      ok: false;
      refusal: "no-such-race-card" | "suspended" | "races-run" | "too-many-notes" | "text-changed";
    };

/**
 * Adds a note to a creator's own race card, which its buyers can read from then on. A repeated request, which has the
 * same idempotency key, adds nothing and returns the first note, or is refused if its text differs. Refused once the
 * last race is off.
 */
export async function addNote(
  creatorId: string,
  raceCardId: string,
  note: NoteInput,
): Promise<AddNoteResult> {
  if (!isId(raceCardId)) return { ok: false, refusal: "no-such-race-card" };
  return await transaction((tx) => addInTransaction(tx, creatorId, raceCardId, note));
}

async function addInTransaction(
  tx: Tx,
  creatorId: string,
  raceCardId: string,
  { idempotencyKey, body }: NoteInput,
): Promise<AddNoteResult> {
  // Locked until commit: a suspension updates the offer too, and takes effect entirely before or after this, and two
  // notes of one race card are counted one after the other.
  const { rows } = await tx.execute<{ is_suspended: boolean; closes_at: string }>(sql`
    select is_suspended, closes_at from race_card_offers
    where race_card_id = ${raceCardId} and creator_id = ${creatorId} for no key update`);
  const [offer] = rows;
  if (!offer) return { ok: false, refusal: "no-such-race-card" };
  const { rows: notes } = await tx.execute<{ id: string; key: string; body: string }>(sql`
    select id, idempotency_key as key, body from race_card_notes where race_card_id = ${raceCardId}`);
  const repeated = notes.find((note) => note.key === idempotencyKey);
  if (repeated)
    return repeated.body === body
      ? { ok: true, noteId: repeated.id }
      : { ok: false, refusal: "text-changed" };
  if (offer.is_suspended) return { ok: false, refusal: "suspended" };
  const at = now();
  if (new Date(offer.closes_at) <= at) return { ok: false, refusal: "races-run" };
  if (notes.length >= MAX_NOTES) return { ok: false, refusal: "too-many-notes" };
  const { rows: added } = await tx.execute<{ id: string }>(sql`
    insert into race_card_notes (race_card_id, idempotency_key, body, created_at)
    values (${raceCardId}, ${idempotencyKey}, ${body}, ${at}) returning id`);
  return { ok: true, noteId: added[0]?.id ?? "" };
}

/**
 * Returns the notes of race cards, oldest first. They are for their creators and buyers only: the caller must have
 * checked that the viewer is one of them.
 */
export async function readNotes(raceCardIds: readonly string[]): Promise<RaceCardNote[]> {
  if (raceCardIds.length === 0) return [];
  return await queryPrepared<RaceCardNote>(
    "race-card-notes",
    `select id, race_card_id as "raceCardId", body, created_at as "createdAt" from race_card_notes
     where race_card_id = any ($1::uuid[]) order by created_at, id`,
    [raceCardIds],
  );
}
