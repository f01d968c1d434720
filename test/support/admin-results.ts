import type { Tx } from "#platform/database.server.ts";
import { pool } from "#platform/database.server.ts";
import { enterTipResult } from "#sales/enter-tip-result.server.ts";
import { voidRaceCard } from "#sales/void-race-card.server.ts";
import { setTipResult, voidAllTips } from "#tips/tips.server.ts";

// Enters results of tips as two admins do: another admin first, then the given one, whose outcome is returned. Where
// only one admin may, the first entry is the result.

type TipEntry = Parameters<typeof setTipResult>[1];
type CardEntry = Parameters<typeof voidAllTips>[1];

/** Returns another admin without tips, or the same one if there is none. */
async function findColleague(actorId: string): Promise<string> {
  const { rows } = await pool().query<{ id: string }>(
    `select r.user_id as id from user_roles r join users u on u.id = r.user_id
     where r.role = 'admin' and u.closed_at is null and r.user_id <> $1
       and not exists (select from race_cards c where c.creator_id = r.user_id)
     order by r.granted_at, r.user_id limit 1`,
    [actorId],
  );
  return rows[0]?.id ?? actorId;
}

export async function enterTipResultAsTwo(
  actorId: string,
  entry: Parameters<typeof enterTipResult>[1],
): Promise<Awaited<ReturnType<typeof enterTipResult>>> {
  const first = await enterTipResult(await findColleague(actorId), entry);
  return first.ok && first.isWaiting ? await enterTipResult(actorId, entry) : first;
}

export async function voidRaceCardAsTwo(
  actorId: string,
  params: Parameters<typeof voidRaceCard>[1],
): Promise<Awaited<ReturnType<typeof voidRaceCard>>> {
  const first = await voidRaceCard(await findColleague(actorId), params);
  return first.ok && first.voided === null ? await voidRaceCard(actorId, params) : first;
}

export async function setTipResultAsTwo(
  tx: Tx,
  entry: TipEntry,
): Promise<Awaited<ReturnType<typeof setTipResult>>> {
  const actorId = await findColleague(entry.actorId);
  const first = await setTipResult(tx, { ...entry, actorId });
  return first.ok && first.isWaiting ? await setTipResult(tx, entry) : first;
}

export async function voidAllTipsAsTwo(
  tx: Tx,
  params: CardEntry,
): Promise<Awaited<ReturnType<typeof voidAllTips>>> {
  const actorId = await findColleague(params.actorId);
  const first = await voidAllTips(tx, { ...params, actorId });
  return first.ok && first.voided === null ? await voidAllTips(tx, params) : first;
}
