import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { findLastPayDay } from "#domain/pay-day.ts";
import { DEFAULT_SETTINGS } from "#domain/payment-file/settings.ts";
import {
  exportPayouts,
  markPayoutPaid,
  type Payout,
  payDayRun,
  readPayouts,
  requestPayout,
  savePaymentFileSettings,
  startPayout,
} from "#payouts/payouts.server.ts";
import { withClockAt } from "#platform/clock.server.ts";
import { DAYS_OF_HISTORY } from "./demo-days.ts";
import type { People } from "./make-people.server.ts";

const RUN_TIME = "05:30";
/** Payouts stay open in the admin area for this many days. */
const PAID_AFTER_DAYS = 3;

/**
 * Creates the payouts of past pay days and marks them as paid. The demo tipster is paid
 * immediately, so that a visitor can request a payout on any day.
 */
export async function makePayouts(people: People, at: Date, isFirstRun: boolean): Promise<void> {
  const adminId = people.get("admin") ?? "";
  const oldest = addDays(dateAt(at), -DAYS_OF_HISTORY);
  const payDays: string[] = [];
  for (let day = findLastPayDay(dateAt(at)); day >= oldest; day = findLastPayDay(addDays(day, -1)))
    payDays.unshift(day);
  for (const payDay of payDays) {
    const runsAt = instantAt(payDay, RUN_TIME);
    if (runsAt > at) continue;
    await withClockAt(runsAt, () => payDayRun.run({}, { isLast: true }));
    await payAll(people, adminId, at);
  }
  if (!isFirstRun) return;
  await savePaymentFileSettings(
    adminId,
    { ...DEFAULT_SETTINGS, debitAccount: "62000000018" },
    null,
  );
  await createOpenPayouts(people, adminId, at);
}

async function payAll(people: People, adminId: string, at: Date): Promise<void> {
  const { payouts } = await readPayouts({ status: "requested", limit: 100 });
  for (const payout of payouts) {
    // A payout requested at another time than the pay day run was requested by a visitor.
    if (!isFromPayDayRun(payout)) continue;
    const isDemoTipster = payout.creatorId === people.get("tipster");
    const hours = isDemoTipster ? 0 : PAID_AFTER_DAYS * 24;
    const startedAt = new Date(payout.requestedAt.getTime() + (hours - 20) * 3_600_000);
    const paidAt = new Date(payout.requestedAt.getTime() + hours * 3_600_000 + 60_000);
    if (paidAt > at) continue;
    const start = startedAt < payout.requestedAt ? payout.requestedAt : startedAt;
    await withClockAt(start, () => startPayout(adminId, payout.id));
    const exported = await withClockAt(start, () =>
      exportPayouts(adminId, {
        payoutIds: [payout.id],
        format: "generic",
        actionDate: dateAt(paidAt),
      }),
    );
    const exportId = exported.ok ? exported.export.id : null;
    await withClockAt(paidAt, () => markPayoutPaid(adminId, payout.id, exportId));
  }
}

function isFromPayDayRun({ requestedAt }: Payout): boolean {
  const runsAt = instantAt(findLastPayDay(dateAt(requestedAt)), RUN_TIME).getTime();
  return Math.abs(requestedAt.getTime() - runsAt) < 5 * 60_000;
}

/** Leaves one requested and one started payout for the admin area. */
async function createOpenPayouts(people: People, adminId: string, at: Date): Promise<void> {
  const requestedAt = new Date(at.getTime() - 10 * 3_600_000);
  for (const accountName of ["sectional.sam", "sugar.coast"]) {
    const creatorId = people.get(accountName) ?? "";
    const result = await withClockAt(requestedAt, () => requestPayout(creatorId));
    if (result.ok && accountName === "sugar.coast") await startPayout(adminId, result.payoutId);
  }
}
