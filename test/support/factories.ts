import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { closeAccount, createUserInTransaction, grantRole } from "#accounts/accounts.server.ts";
import { createCreator } from "#creators/creators.server.ts";
import { addDays, type CalendarDate, dateAt, instantAt, timeAt } from "#domain/calendar.ts";
import type { ReversalReason } from "#domain/coin-return.ts";
import type { Confidence, TipResult, TipType } from "#domain/tip.ts";
import { type MarkPayoutPaidResult, markPayoutPaid } from "#payouts/mark-payout-paid.server.ts";
import { exportPayouts, holdEarnings } from "#payouts/payouts.server.ts";
import { type WithdrawExportResult, withdrawExport } from "#payouts/withdraw-export.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import type { RaceDayInput } from "#racing/race-day.input.ts";
import { ensureVenues, findVenue, saveRaceDay, type Venue } from "#racing/racing.server.ts";
import { reverseEarning } from "#sales/sales.server.ts";
import { publishBatch } from "#tips/tips.server.ts";
import { lockWallet, postToLedger } from "#wallet/wallet.server.ts";
import { setTipResultAsTwo } from "./admin-results.ts";
// Binds what follows from a confirmed result, as in every process of the application.
import "#bind-race-result-steps.server.ts";

// Creates the users and records of tests through the application's functions.

export type Person = { id: string; name: string; email: string };

let count = 0;

/** Creates a user with a confirmed email address, no password and no coins by default. */
export async function makeUser({
  name = "Thandi Mokoena",
  email,
  coins = 0,
  passwordHash = null,
  verified = true,
}: {
  name?: string;
  email?: string;
  coins?: number;
  passwordHash?: string | null;
  verified?: boolean;
} = {}): Promise<Person> {
  count += 1;
  const address = email ?? `person${count}-${randomUUID().slice(0, 8)}@example.test`;
  const id = await transaction((tx) =>
    createUserInTransaction(tx, { email: address, name, passwordHash, verified, agreedAt: now() }),
  );
  if (!id) throw new Error(`${address} has an account already`);
  if (coins > 0) await grantTestCoins(id, coins);
  return { id, name, email: address };
}

/** Closes the account of a user without earnings. Its coins go to the house. */
export async function closeTestAccount(userId: string): Promise<void> {
  await transaction(async (tx) => {
    const { balanceCoins } = await lockWallet(tx, userId);
    if (balanceCoins > 0)
      await postToLedger(tx, "forfeit", `account:${userId}`, [
        { account: "wallet", owner: userId, unit: "coin", amount: -balanceCoins },
        { account: "forfeited", owner: userId, unit: "coin", amount: balanceCoins },
      ]);
    await closeAccount(tx, userId);
  });
}

/** Creates an admin. */
export async function makeAdmin(name = "Nomsa Radebe"): Promise<Person> {
  const admin = await makeUser({ name });
  await transaction((tx) => grantRole(tx, { userId: admin.id, role: "admin", actorId: null }));
  return admin;
}

/** Creates an approved tipster or analyst without race cards. */
export async function makeTipster({
  name,
  kind = "tipster",
}: {
  name?: string;
  kind?: "tipster" | "analyst";
} = {}): Promise<Person & { slug: string }> {
  const displayName = name ?? `Tipster ${count + 1} ${randomUUID().slice(0, 6)}`;
  const user = await makeUser({ name: displayName });
  const created = await transaction(async (tx) => {
    await grantRole(tx, { userId: user.id, role: kind, actorId: null });
    return await createCreator(tx, { userId: user.id, kind, displayName, approvedBy: null });
  });
  if (!created.ok) throw new Error(`${displayName}: ${created.refusal}`);
  return { ...user, slug: created.slug };
}

/** Grants coins to a wallet with an audit entry, as an admin does. */
export async function grantTestCoins(userId: string, amountCoins: number): Promise<void> {
  const reference = `test:${randomUUID()}`;
  await transaction(async (tx) => {
    await postToLedger(tx, "grant", reference, [
      { account: "granted", unit: "coin", amount: -amountCoins },
      { account: "wallet", owner: userId, unit: "coin", amount: amountCoins },
    ]);
    await writeAudit(tx, { actorId: null, action: "grant-coins", subject: reference });
  });
}

/** Holds the unpaid earnings of all sales of a buyer. */
export async function holdEarningsOfBuyer(buyerId: string, reason = "test"): Promise<void> {
  const { rows } = await pool().query<{ id: number }>("select id from sales where buyer_id = $1", [
    buyerId,
  ]);
  const saleIds = rows.map((row) => row.id);
  await transaction((tx) => holdEarnings(tx, { saleIds, reason }));
}

/** Reverses the earnings of a buyer's sales that are in no payout. */
export async function reverseEarningsOfBuyer(
  buyerId: string,
  reason: ReversalReason = "review",
): Promise<void> {
  await transaction(async (tx) => {
    const { rows } = await tx.execute<Parameters<typeof reverseEarning>[1]>(sql`
      select e.sale_id, e.creator_id, e.amount_cents from earnings e join sales s on s.id = e.sale_id
      where s.buyer_id = ${buyerId} and e.payout_id is null
        and not exists (select from earning_reversals r where r.sale_id = e.sale_id)
      for update of e`);
    for (const row of rows) await reverseEarning(tx, row, reason);
  });
}

/** Returns one of the six default venues. */
export async function findTestVenue(slug = "kenilworth"): Promise<Venue> {
  await ensureVenues();
  const venue = await findVenue(slug);
  if (!venue) throw new Error(`there is no venue ${slug}`);
  return venue;
}

/** Reports off times for a venue and day at equal intervals. */
export async function reportOffTimes(
  venueId: string,
  raceDate: CalendarDate,
  { firstOff = "13:00", races = 8, minutesApart = 35 } = {},
): Promise<void> {
  const first = instantAt(raceDate, firstOff).getTime();
  await reportRaceDay(
    venueId,
    raceDate,
    Array.from({ length: races }, (_, index) => ({
      raceNumber: index + 1,
      time: timeAt(new Date(first + index * minutesApart * 60_000)),
    })),
  );
}

/** Reports the races of a venue and day without going and weather. */
export async function reportRaceDay(
  venueId: string,
  raceDate: CalendarDate,
  races: RaceDayInput["races"],
): Promise<void> {
  const result = await saveRaceDay(null, {
    venueId,
    raceDate,
    going: null,
    weather: null,
    weatherDescription: null,
    temperatureCelsius: null,
    humidityPercent: null,
    windKmh: null,
    source: "test",
    races,
  });
  if (!result.ok) throw new Error(result.refusal);
}

export type RaceToPublish = {
  raceNumber: number;
  horseNumber?: number;
  horseName?: string;
  tipType?: TipType;
  confidence?: Confidence;
  analysis?: string;
  raceTime?: string | null;
};

/** Returns a complete batch as the form sends it, with overrides. */
export function createBatchInput({
  venueId,
  raceDate = addDays(dateAt(now()), 1),
  races = [1, 2, 3],
  idempotencyKey = randomUUID(),
}: {
  venueId: string;
  raceDate?: CalendarDate;
  races?: (number | RaceToPublish)[];
  idempotencyKey?: string;
}) {
  return {
    idempotencyKey,
    venueId,
    raceDate,
    races: races.map((given) => {
      const race = typeof given === "number" ? { raceNumber: given } : given;
      return {
        horseNumber: race.raceNumber + 1,
        horseName: `Secret Horse ${race.raceNumber}`,
        tipType: "win" as TipType,
        confidence: "medium" as Confidence,
        analysis: `A secret reason for race ${race.raceNumber}.`,
        raceTime: null,
        ...race,
      };
    }),
  };
}

/** Publishes a race card: by default tomorrow at Kenilworth with three races. */
export async function publishRaceCard({
  creatorId,
  venue = "kenilworth",
  raceDate,
  races,
}: {
  creatorId?: string;
  venue?: string;
  raceDate?: CalendarDate;
  races?: (number | RaceToPublish)[];
} = {}): Promise<{ raceCardId: string; creatorId: string; venue: Venue; raceDate: CalendarDate }> {
  const creator = creatorId ?? (await makeTipster()).id;
  const at = await findTestVenue(venue);
  const batch = createBatchInput({ venueId: at.id, raceDate, races });
  const result = await publishBatch(creator, batch);
  if (!result.ok) throw new Error(result.refusal);
  return {
    raceCardId: result.raceCardId,
    creatorId: creator,
    venue: at,
    raceDate: batch.raceDate,
  };
}

/** Exports payouts to a payment file as an admin. Throws when refused. */
export async function exportForBank(actorId: string, ...payoutIds: string[]): Promise<void> {
  const result = await exportPayouts(actorId, {
    payoutIds,
    format: "generic",
    actionDate: dateAt(now()),
  });
  if (!result.ok) throw new Error(result.refusal);
}

/** Marks a payout as paid, as an admin does who is shown its latest export. */
export async function markShownPayoutPaid(
  actorId: string,
  payoutId: string,
): Promise<MarkPayoutPaidResult> {
  return await markPayoutPaid(actorId, payoutId, await readExportId(payoutId));
}

/** Withdraws the export of a payout, as an admin does who is shown it. */
export async function withdrawShownExport(
  actorId: string,
  payoutId: string,
  reason: string,
): Promise<WithdrawExportResult> {
  const shownExportId = await readExportId(payoutId);
  return await withdrawExport(actorId, payoutId, { shownExportId, reason });
}

/** Returns the latest export of a payout; null when it has none or is unknown. */
export async function readExportId(payoutId: string): Promise<string | null> {
  const { rows } = await pool().query<{ export_id: string | null }>(
    "select export_id from payouts where id::text = $1",
    [payoutId],
  );
  return rows[0]?.export_id ?? null;
}

/** Enters results of tips as an admin, so that they count in the record, which a tipster's own do not. */
export async function enterResults(
  results: readonly { tipId: string; result: TipResult }[],
): Promise<void> {
  const admin = await makeAdmin();
  for (const each of results) {
    const outcome = await transaction((tx) =>
      setTipResultAsTwo(tx, { ...each, reason: "Checked", actorId: admin.id }),
    );
    if (!outcome.ok) throw new Error(outcome.refusal);
  }
}
