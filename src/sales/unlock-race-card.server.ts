import { sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import type { UnlockRefusal } from "#domain/refusal.ts";
import { now } from "#platform/clock.server.ts";
import { queryPrepared, type Tx } from "#platform/database.server.ts";
import type { OpenedTip } from "./opened-cards.server.ts";

/**
 * The result of unlocking a race card: the tips and the remaining balance if it is opened now or
 * was before, otherwise the first refusal that applies.
 */
export type UnlockResult =
  | {
      ok: true;
      isNew: boolean;
      balanceCoins: number;
      /** The races that were sold: without the scratched and void ones, whose tips can be read too. */
      raceCount: number;
      tips: OpenedTip[];
      /** The tips as the JSON text that the database returned. */
      tipsJson: string;
    }
  | {
      ok: false;
      refusal: UnlockRefusal;
      balanceCoins: number;
      raceCount: number;
      racesRun: number;
    };

type Row = {
  outcome: "opened" | "already" | UnlockRefusal;
  balance_coins: number;
  races: number;
  races_run: number;
  tips: string | null;
};

type UnlockParams = {
  raceCardId: string;
  /** A repeated request with the same key returns the same result. */
  idempotencyKey?: string | null;
  /** How many races already run the buyer has confirmed. Null skips the confirmation. */
  acknowledgedRacesRun?: number | null;
};

/**
 * Opens a race card for the owner of a session token. Charges 4 coins once, even for repeated or
 * concurrent requests. Session check, wallet, sale, earning and result are one database round trip.
 */
export async function unlockRaceCard(
  sessionToken: string | null,
  params: UnlockParams,
): Promise<UnlockResult> {
  return unlock("session_user_id($1, $4)", "unlock-by-session", sessionToken, params);
}

/** Opens a race card for a user whom the caller has authenticated. */
export async function unlockRaceCardAs(
  userId: string,
  params: UnlockParams,
): Promise<UnlockResult> {
  return unlock("$1::uuid", "unlock-by-user", userId, params);
}

async function unlock(
  buyerSql: string,
  statementName: string,
  buyer: string | null,
  params: UnlockParams,
) {
  const cardId = isId(params.raceCardId) ? params.raceCardId : null;
  const [row] = await queryPrepared<Row>(
    statementName,
    // A sale that this statement makes is not visible to it: then the function returns the races sold.
    `select u.outcome, u.balance_coins, coalesce(cardinality(s.tip_ids), u.races) as races, u.races_run,
       case when u.outcome in ('opened', 'already') then
         opened_tips($2, coalesce(s.created_at, $4))
       end::text as tips
     from unlock_race_card(${buyerSql}, $2::uuid, $3, $4::timestamptz, $5) u
     left join sales s on s.id = u.sale`,
    [buyer, cardId, params.idempotencyKey || null, now(), params.acknowledgedRacesRun ?? null],
  );
  if (!row) throw new Error("unlock_race_card returned no row");
  return toUnlockResult(row);
}

/**
 * Opens the race card that a guest has paid for, inside the transaction that credits the coins. The
 * card, which was on sale when it was ordered, may have gone off sale since: it can be opened until its race date ends.
 */
export async function unlockRaceCardForGuest(
  tx: Tx,
  { userId, raceCardId, orderedAt }: { userId: string; raceCardId: string; orderedAt: Date },
): Promise<UnlockResult> {
  const result = await tx.execute<Row>(sql`
    select u.outcome, u.balance_coins, u.races, u.races_run, '[]' as tips
    from unlock_race_card(${userId}, ${raceCardId}, null, ${now()}, null, ${orderedAt}) u`);
  const [row] = result.rows;
  if (!row) throw new Error("unlock_race_card returned no row");
  return toUnlockResult(row);
}

function toUnlockResult(row: Row): UnlockResult {
  if (row.outcome === "opened" || row.outcome === "already") {
    const tipsJson = row.tips ?? "[]";
    return {
      ok: true,
      isNew: row.outcome === "opened",
      balanceCoins: row.balance_coins,
      raceCount: row.races,
      tipsJson,
      get tips() {
        return JSON.parse(tipsJson) as OpenedTip[];
      },
    };
  }
  return {
    ok: false,
    refusal: row.outcome,
    balanceCoins: row.balance_coins,
    raceCount: row.races,
    racesRun: row.races_run,
  };
}
