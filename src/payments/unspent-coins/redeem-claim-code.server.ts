import { eq, sql } from "drizzle-orm";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { isWithinLimit } from "#platform/rate-limits.server.ts";
import { lockWallet, type Posting, postToLedger } from "#wallet/wallet.server.ts";
import { syncLostCoins } from "../sync-lost-coins.server.ts";
import { claimCodes, unspentCoinRefunds } from "../tables.server.ts";
import { hashClaimCode, LATER_CENTS_SQL } from "./claim-codes.server.ts";

type ClaimRefusal = "too-many-attempts" | "unknown-code" | "expired" | "disputed" | "nothing-due";

export type RedeemClaimCodeResult =
  | { ok: true; coins: number; repaidCoins: number }
  | { ok: false; refusal: ClaimRefusal };

const ATTEMPT_LIMIT = { max: 10, seconds: 60 * 60 };

/**
 * Adds the coins of the failed refunds of a closed account to the wallet of the user who enters its claim code. Coins
 * that the user owes are repaid first. A code that was redeemed adds nothing again.
 */
export async function redeemClaimCode(
  userId: string,
  code: string,
): Promise<RedeemClaimCodeResult> {
  return await withClaim(userId, code, async (tx, claim): Promise<RedeemClaimCodeResult> => {
    const { coins } = claim;
    const repaidCoins = Math.min(claim.owedCoins, coins);
    const postings: Posting[] = [
      { account: "owed", owner: userId, unit: "coin", amount: repaidCoins },
      { account: "wallet", owner: userId, unit: "coin", amount: coins - repaidCoins },
    ];
    await postClaim(tx, claim, postings, { status: "claimed", claimedBy: userId });
    await syncLostCoins(tx, userId);
    await writeAudit(tx, {
      actorId: userId,
      action: "redeem-claim-code",
      subject: claim.closedUserId,
      details: { coins },
    });
    return { ok: true, coins, repaidCoins };
  });
}

export type PayClaimCodeResult =
  | { ok: true }
  | { ok: false; refusal: ClaimRefusal }
  | { ok: false; refusal: "other-amount"; dueCents: number };

/**
 * Records that an admin has paid the price of the coins of a claim code to the bank account of its holder, who can then
 * no longer redeem it. Refuses an amount other than the one that is due.
 */
export async function payClaimCode(
  adminId: string,
  {
    claimCode,
    amountCents,
    bankReference,
  }: { claimCode: string; amountCents: number; bankReference: string },
): Promise<PayClaimCodeResult> {
  return await withClaim(adminId, claimCode, async (tx, claim): Promise<PayClaimCodeResult> => {
    const { coins, dueCents } = claim;
    if (amountCents !== dueCents) return { ok: false, refusal: "other-amount", dueCents };
    const postings: Posting[] = [
      { account: "sold", unit: "coin", amount: coins },
      { account: "bank", unit: "cent", amount: -dueCents },
      { account: "coin sales", unit: "cent", amount: dueCents },
    ];
    await postClaim(tx, claim, postings, { status: "paid" });
    await writeAudit(tx, {
      actorId: adminId,
      action: "pay-claim-code",
      subject: claim.closedUserId,
      details: { coins, amountCents, bankReference },
    });
    return { ok: true };
  });
}

type DueRefund = { id: string; coins: number; amountCents: number };

/** The failed refunds that a claim code covers, and the coins that the user who enters it owes. */
type Claim = {
  closedUserId: string;
  refunds: DueRefund[];
  coins: number;
  dueCents: number;
  owedCoins: number;
};

/** Runs `work` with the claim of a code in a transaction that has locked both wallets, or returns the refusal. */
async function withClaim<Result>(
  userId: string,
  code: string,
  work: (tx: Tx, claim: Claim) => Promise<Result>,
): Promise<Result | { ok: false; refusal: ClaimRefusal }> {
  if (!(await isWithinLimit(`claim-code:${userId}`, ATTEMPT_LIMIT)))
    return { ok: false, refusal: "too-many-attempts" };
  return await transaction(async (tx) => {
    const [claim] = await tx
      .select()
      .from(claimCodes)
      .where(eq(claimCodes.codeHash, hashClaimCode(code)))
      .for("update");
    if (!claim) return { ok: false, refusal: "unknown-code" };
    if (claim.expiresAt <= now()) return { ok: false, refusal: "expired" };
    const { closedWallet, wallet } = await lockWallets(tx, claim.userId, userId);
    if (closedWallet.isFrozen) return { ok: false, refusal: "disputed" };
    const refunds = await readDueRefunds(tx, claim.userId);
    const coins = refunds.reduce((total, refund) => total + refund.coins, 0);
    // Another purchase of the account that was lost can have taken its coins.
    if (coins === 0 || coins > closedWallet.forfeitedCoins)
      return { ok: false, refusal: "nothing-due" };
    return await work(tx, {
      closedUserId: claim.userId,
      refunds,
      coins,
      dueCents: refunds.reduce((total, { amountCents }) => total + amountCents, 0),
      owedCoins: wallet.owedCoins,
    });
  });
}

/** Returns the failed refunds of a closed account, without what went back to the payer in another way since. */
async function readDueRefunds(tx: Tx, userId: string): Promise<DueRefund[]> {
  const { rows } = await tx.execute<DueRefund & { laterCents: number }>(sql`
    select r.id, r.coins, r.amount_cents as "amountCents",
      ${LATER_CENTS_SQL} as "laterCents"
    from unspent_coin_refunds r join coin_purchases p on p.id = r.purchase_id
    where r.user_id = ${userId} and r.status = 'failed' order by r.id`);
  return rows.flatMap(({ id, coins, amountCents, laterCents }) => {
    const dueCents = amountCents - laterCents;
    const dueCoins = Math.floor((coins * dueCents) / amountCents);
    return dueCoins > 0 ? [{ id, coins: dueCoins, amountCents: dueCents }] : [];
  });
}

/** Locks two wallets in the order in which the ledger locks them. */
async function lockWallets(tx: Tx, closedUserId: string, userId: string) {
  const isClosedFirst = closedUserId < userId;
  const first = await lockWallet(tx, isClosedFirst ? closedUserId : userId);
  const second = await lockWallet(tx, isClosedFirst ? userId : closedUserId);
  return isClosedFirst
    ? { closedWallet: first, wallet: second }
    : { closedWallet: second, wallet: first };
}

/** Takes the coins of a claim from the closed account with these postings, and stores what became of its refunds. */
async function postClaim(
  tx: Tx,
  { closedUserId, refunds, coins }: Claim,
  postings: Posting[],
  outcome: { status: "claimed" | "paid"; claimedBy?: string },
): Promise<void> {
  const transactionId = await postToLedger(
    tx,
    "claim",
    refunds.map(({ id }) => id).join(" "),
    [
      { account: "forfeited" as const, owner: closedUserId, unit: "coin" as const, amount: -coins },
      ...postings,
    ].filter(({ amount }) => amount !== 0),
  );
  if (transactionId === null) throw new Error("these coins have already been claimed");
  for (const { id, ...due } of refunds)
    await tx
      .update(unspentCoinRefunds)
      .set({ ...due, ...outcome, claimTransactionId: transactionId })
      .where(eq(unspentCoinRefunds.id, id));
}
