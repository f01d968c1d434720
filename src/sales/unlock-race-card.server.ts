import { sql } from "drizzle-orm";
import type { UnlockRefusal } from "#domain/refusal.ts";
import { now } from "#platform/clock.server.ts";
import { prepared, type Tx } from "#platform/database.server.ts";
import type { OpenedTip } from "./opened-tip.server.ts";

/**
 * What became of a wish to open a card. Opened or open already, it comes with the tips and what is
 * left in the wallet; else with the first reason that stood against it.
 */
export type Unlock =
  | {
      ok: true;
      isNew: boolean;
      balanceCoins: number;
      raceCount: number;
      tips: OpenedTip[];
      /** The same as the text that the database wrote. */
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

type Wish = {
  raceCardId: string;
  /** Names the wish, so that asking again after a lost answer is told the same. */
  idempotencyKey?: string | null;
  /** How many races the buyer has been told are over; without it nobody is asked to confirm. */
  acknowledgedRacesRun?: number | null;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Opens a race card for whoever the session token belongs to: 4 coins once, whatever comes twice or
 * at the same time. Session, wallet, sale, earning and the answer are one round trip.
 */
export async function unlockRaceCard(sessionToken: string | null, wish: Wish): Promise<Unlock> {
  return unlock("session_user_id($1, $4)", "unlock-by-session", sessionToken, wish);
}

/** The same for a user whom the caller has made sure of. */
export async function unlockRaceCardAs(userId: string, wish: Wish): Promise<Unlock> {
  return unlock("$1::uuid", "unlock-by-user", userId, wish);
}

async function unlock(buyer: string, name: string, who: string | null, wish: Wish) {
  const cardId = UUID.test(wish.raceCardId) ? wish.raceCardId : null;
  const [row] = await prepared<Row>(
    name,
    `select u.outcome, u.balance_coins, u.races, u.races_run,
       case when u.outcome in ('opened', 'already') then
         opened_tips($2, coalesce((select s.created_at from sales s where s.id = u.sale), $4))
       end::text as tips
     from unlock_race_card(${buyer}, $2::uuid, $3, $4::timestamptz, $5) u`,
    [who, cardId, wish.idempotencyKey ?? null, now(), wish.acknowledgedRacesRun ?? null],
  );
  if (!row) throw new Error("the database gave no answer to an unlock");
  return toUnlock(row);
}

/**
 * Opens the card a guest has just paid for, within the transaction that credits the coins: it needs
 * to have been on sale at checkout only, and opens until its race date ends.
 */
export async function unlockRaceCardForGuest(
  tx: Tx,
  { userId, raceCardId }: { userId: string; raceCardId: string },
): Promise<Unlock> {
  const result = await tx.execute<Row>(sql`
    select u.outcome, u.balance_coins, u.races, u.races_run, '[]' as tips
    from unlock_race_card(${userId}, ${raceCardId}, null, ${now()}, null, true) u`);
  const [row] = result.rows;
  if (!row) throw new Error("the database gave no answer to an unlock");
  return toUnlock(row);
}

function toUnlock(row: Row): Unlock {
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
