import { sql } from "drizzle-orm";
import { readUsers } from "#accounts/accounts.server.ts";
import { notifyCreator } from "#creators/creators.server.ts";
import { formatCents } from "#domain/format-cents.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { adjustEarnings } from "#sales/sales.server.ts";
import { CHANGED_REASON, removeFromPayouts } from "./remove-from-payouts.server.ts";

/** A sale, and the coins that lost payments left unpaid of it. */
export type LackingCoins = { saleId: number; coins: number };

/**
 * Sets the coins that sales of a buyer lack, and brings their earnings in line. An earning in a payment file or a paid
 * payout stays as it is, with an alert: the house bears it. Notifies the creators. The wallet of the buyer must be
 * locked.
 */
export async function setLackingCoins(tx: Tx, changes: readonly LackingCoins[]): Promise<void> {
  if (changes.length === 0) return;
  const saleIds = changes.map(({ saleId }) => saleId);
  await removeFromPayouts(tx, { saleIds, reason: CHANGED_REASON });
  const { rows } = await tx.execute<LostEarning>(sql`
    update earnings e set lacking_coins = c.coins
    from unnest(${sql.param(saleIds)}::bigint[], ${sql.param(changes.map(({ coins }) => coins))}::smallint[])
        c (sale_id, coins)
      join earnings b on b.sale_id = c.sale_id join sales s on s.id = c.sale_id
      left join payouts o on o.id = b.payout_id
    where e.sale_id = c.sale_id
    returning o.id as "payoutId", o.status = 'paid' as "isPaid",
      earning_of_coins(s.earning_cents, s.price_coins, c.coins) as cents`);
  await notifyCreators(tx, await adjustEarnings(tx, saleIds));
  const inPayouts = rows.filter(({ payoutId, cents }) => payoutId !== null && cents > 0);
  for (const [payoutId, earnings] of Map.groupBy(inPayouts, (row) => row.payoutId))
    if (payoutId !== null) await alertAboutPayout(tx, payoutId, earnings);
}

type LostEarning = { payoutId: string | null; isPaid: boolean; cents: number };

async function alertAboutPayout(
  tx: Tx,
  payoutId: string,
  earnings: readonly LostEarning[],
): Promise<void> {
  const amount = formatCents(earnings.reduce((sum, { cents }) => sum + cents, 0));
  const lost = `${amount} of sales whose payments were refunded or lost in disputes`;
  await raiseAlert(
    {
      kind: "exported-payout-disputed",
      subject: payoutId,
      message: earnings.some(({ isPaid }) => isPaid)
        ? `Payout ${payoutId} was paid and contains ${lost}. The house bears it.`
        : `Payout ${payoutId} is in a payment file or a transfer and contains ${lost}. If the bank has not paid the file yet, stop it there and withdraw the payout. A transfer can't be stopped after it was sent.`,
    },
    tx,
  );
}

/** Notifies each creator whose account is open, once, of the total change. */
async function notifyCreators(
  tx: Tx,
  changes: Awaited<ReturnType<typeof adjustEarnings>>,
): Promise<void> {
  const changesByCreator = Map.groupBy(changes, ({ creatorId }) => creatorId);
  const users = await readUsers([...changesByCreator.keys()], tx);
  for (const [creatorId, ofCreator] of changesByCreator) {
    const cents = ofCreator.reduce((sum, { payableCents }) => sum + payableCents, 0);
    if (cents === 0 || users.get(creatorId)?.isClosed) continue;
    const sales = ofCreator.length === 1 ? "1 sale" : `${ofCreator.length} sales`;
    const [verb, cause] =
      cents < 0
        ? ["reversed", "the buyer's payment was refunded or lost in a dispute"]
        : ["restored", "the buyer has paid after all"];
    await notifyCreator(tx, {
      creatorId,
      title: `${formatCents(Math.abs(cents))} of your earnings was ${verb}`,
      message: `we ${verb} what you earned from ${sales}, because ${cause}.`,
    });
  }
}
