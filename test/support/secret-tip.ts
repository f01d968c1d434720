import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { pool } from "#platform/database.server.ts";
import { addNote } from "#tips/notes/add-note.server.ts";
import { makeTipster, publishRaceCard } from "./factories.ts";

// Words that occur only in one locked tip. A client that has not paid for it must never receive them, from any
// endpoint, in any form.
export const HORSE = "Zwartkoppiesvlinder";
export const ANALYSIS = "kwaggasnorkelbord";
export const SECRETS = [HORSE, ANALYSIS];
/** A word of the creator's note to the buyers, who read it on the race card's page. */
export const NOTE = "waterblommetjiesop";

/** Publishes a race card with two tips that contain the secret words. */
export async function publishSecretTips() {
  const creator = await makeTipster();
  const { raceCardId, raceDate, venue } = await publishRaceCard({
    creatorId: creator.id,
    races: [
      { raceNumber: 1, horseName: HORSE, analysis: `He is ${ANALYSIS} on this going.` },
      { raceNumber: 2, horseName: `${HORSE} Too`, analysis: `Again ${ANALYSIS}.` },
    ],
  });
  await addNote(creator.id, raceCardId, {
    idempotencyKey: randomUUID(),
    body: `Rather ${NOTE} than rain.`,
  });
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1",
    [raceCardId],
  );
  return { raceCardId, raceDate, venue, slug: creator.slug, tipIds: rows.map(({ id }) => id) };
}

export function expectNoSecret(text: string, where: string): void {
  for (const secret of [...SECRETS, NOTE])
    expect(text.toLowerCase().includes(secret.toLowerCase()), `${secret} in ${where}`).toBe(false);
}

/** Returns the headers and the body of a response as text. */
export async function readHeadersAndBody(response: Response): Promise<string> {
  return `${JSON.stringify([...response.headers])}\n${await response.text()}`;
}
