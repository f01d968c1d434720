import { sql } from "drizzle-orm";
import { readUsers } from "#accounts/accounts.server.ts";
import type { CalendarDate } from "#domain/calendar.ts";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { runEach } from "#platform/run-each.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { renderCoinsReturnedEmail } from "./coins-returned.email.tsx";
import { readOpenedTips } from "./opened-cards.server.ts";

/** An email is sent once no coins have been returned for this long, and at the latest after the maximum. */
const QUIET_SECONDS = 60;
const MAX_DELAY_SECONDS = 10 * 60;
const EMAILS_PER_RUN = 500;

type Meeting = { buyer_id: string; venue_id: string; race_date: CalendarDate };

/**
 * Emails buyers about returned coins, one email per buyer and meeting: the results of an abandoned meeting
 * arrive one race after the other.
 */
export const emailReturnedCoins: Job = {
  name: "email-returned-coins",
  everySeconds: 10,
  async run() {
    const at = now().getTime();
    const { rows } = await database().execute<Meeting>(sql`
      select n.buyer_id, n.venue_id, n.race_date from coin_return_notices n
      group by 1, 2, 3
      having max(n.created_at) <= ${new Date(at - QUIET_SECONDS * 1000)}
        or min(n.created_at) <= ${new Date(at - MAX_DELAY_SECONDS * 1000)}
      order by min(n.created_at)
      limit ${EMAILS_PER_RUN}`);
    await runEach(
      emailReturnedCoins.name,
      rows,
      (meeting) => `buyer ${meeting.buyer_id}`,
      (meeting) => transaction((tx) => emailBuyer(tx, meeting)),
    );
  },
};

/** Sends no email about coins that were returned for race cards before a date. For the demo's history. */
export async function skipEmailsForCoinsReturnedBefore(before: CalendarDate): Promise<void> {
  await database().execute(sql`delete from coin_return_notices where race_date < ${before}`);
}

type Notice = {
  race_card_id: string;
  coins: number;
  repaid_coins: number;
  /** The coins returned for the sale so far. */
  total_coins: number;
  /** The void tips when the coins were returned; their results can be corrected later. */
  tip_ids: string[];
  /** The void tips when coins were returned for the sale before. */
  tip_ids_before: string[];
  is_sold_after_races: boolean;
};

/** Deletes the notices and enqueues the email in one transaction, so that each is sent once. */
async function emailBuyer(tx: Tx, meeting: Meeting): Promise<void> {
  const { buyer_id: buyerId } = meeting;
  const { rows: notices } = await tx.execute<Notice>(sql`
    delete from coin_return_notices n using coin_returns r
    where r.transaction_id = n.transaction_id
      and n.buyer_id = ${buyerId} and n.venue_id = ${meeting.venue_id}
      and n.race_date = ${meeting.race_date}
    returning n.race_card_id, n.coins, n.repaid_coins, r.total_coins, r.tip_ids, r.is_sold_after_races,
      coalesce((select b.tip_ids from coin_returns b
        where b.sale_id = r.sale_id and b.step < r.step and b.coins > 0
        order by b.step desc limit 1), '{}') as tip_ids_before`);
  const user = (await readUsers([buyerId], tx)).get(buyerId);
  // A closed account has no email address.
  if (notices.length === 0 || !user || user.isClosed) return;
  const raceCardIds = [...new Set(notices.map((notice) => notice.race_card_id))];
  const raceCards = await readRaceCardSummaries(raceCardIds);
  const tips = await readOpenedTips(buyerId, raceCardIds);
  const venue = raceCards.values().next().value?.venue.name;
  if (venue === undefined) return;
  await enqueueEmail(tx, {
    to: user.email,
    userId: user.id,
    kind: "coins-returned",
    ...(await renderCoinsReturnedEmail({
      name: user.name,
      venue,
      raceDate: meeting.race_date,
      repaidCoins: notices.reduce((sum, notice) => sum + notice.repaid_coins, 0),
      raceCards: raceCardIds.map((raceCardId) => {
        const cardTips = tips.get(raceCardId) ?? [];
        const cardNotices = notices.filter((notice) => notice.race_card_id === raceCardId);
        const voidTipIds = new Set(cardNotices.flatMap((notice) => notice.tip_ids));
        // Only the races of these coins: an earlier email may have listed the others.
        const newlyVoidTipIds = new Set(
          cardNotices.flatMap((notice) =>
            notice.tip_ids.filter((tipId) => !notice.tip_ids_before.includes(tipId)),
          ),
        );
        return {
          tipster: raceCards.get(raceCardId)?.creator.name ?? "",
          coins: cardNotices.reduce((sum, notice) => sum + notice.coins, 0),
          voidRaces: cardTips
            .filter((tip) => newlyVoidTipIds.has(tip.id))
            .map((tip) => `race ${tip.raceNumber} (${tip.horseName})`),
          isVoid: cardTips.every((tip) => voidTipIds.has(tip.id)),
          isSoldAfterRaces: cardNotices.some((notice) => notice.is_sold_after_races),
          areAllCoinsReturned: cardNotices.some(
            (notice) => notice.total_coins === CARD_PRICE_COINS,
          ),
        };
      }),
    })),
  });
}
