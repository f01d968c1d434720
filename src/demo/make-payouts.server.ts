import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { lastPayDay } from "#domain/pay-day.ts";
import {
  exportPayouts,
  markPayoutPaid,
  type Payout,
  payDayRun,
  readPayouts,
  requestPayout,
  startPayout,
} from "#payouts/payouts.server.ts";
import { withClockAt } from "#platform/clock.server.ts";
import type { People } from "./make-people.server.ts";
import { DAYS_OF_HISTORY } from "./world.ts";

const RUN_TIME = "05:30";
/** The operator of the demo pays within so many days; until then payouts wait in the admin. */
const PAID_AFTER_DAYS = 3;

/**
 * Makes the payouts of the pay days there have been, and pays them as an operator would. The tipster of
 * the dashboard is paid at once, so that a payout can be requested there on any day.
 */
export async function makePayouts(people: People, at: Date, isNewWorld: boolean): Promise<void> {
  const adminId = people.get("admin") ?? "";
  const oldest = addDays(dateAt(at), -DAYS_OF_HISTORY);
  const payDays: string[] = [];
  for (let day = lastPayDay(dateAt(at)); day >= oldest; day = lastPayDay(addDays(day, -1)))
    payDays.unshift(day);
  for (const payDay of payDays) {
    const runsAt = instantAt(payDay, RUN_TIME);
    if (runsAt > at) continue;
    await withClockAt(runsAt, () => payDayRun.run({}, { isLast: true }));
    await payAll(people, adminId, at);
  }
  if (isNewWorld) await leaveSomeOpen(people, adminId, at);
}

async function payAll(people: People, adminId: string, at: Date): Promise<void> {
  const { payouts } = await readPayouts({ status: "requested", limit: 100 });
  for (const payout of payouts) {
    // What was asked for at another time than the run's was asked for by whoever tries the demo.
    if (!isOfRun(payout)) continue;
    const isTipsters = payout.creatorId === people.get("tipster");
    const hours = isTipsters ? 0 : PAID_AFTER_DAYS * 24;
    const startedAt = new Date(payout.requestedAt.getTime() + (hours - 20) * 3_600_000);
    const paidAt = new Date(payout.requestedAt.getTime() + hours * 3_600_000 + 60_000);
    if (paidAt > at) continue;
    const start = startedAt < payout.requestedAt ? payout.requestedAt : startedAt;
    await withClockAt(start, () => startPayout(adminId, payout.id));
    await withClockAt(start, () =>
      exportPayouts(adminId, {
        payoutIds: [payout.id],
        format: "generic",
        actionDate: dateAt(paidAt),
      }),
    );
    await withClockAt(paidAt, () => markPayoutPaid(adminId, payout.id));
  }
}

function isOfRun({ requestedAt }: Payout): boolean {
  const runsAt = instantAt(lastPayDay(dateAt(requestedAt)), RUN_TIME).getTime();
  return Math.abs(requestedAt.getTime() - runsAt) < 5 * 60_000;
}

/** One payout asked for last night and one taken up, for the operator to see at once. */
async function leaveSomeOpen(people: People, adminId: string, at: Date): Promise<void> {
  const lastNight = new Date(at.getTime() - 10 * 3_600_000);
  for (const mailbox of ["sectional.sam", "sugar.coast"]) {
    const creatorId = people.get(mailbox) ?? "";
    const answer = await withClockAt(lastNight, () => requestPayout(creatorId));
    if (answer.ok && mailbox === "sugar.coast") await startPayout(adminId, answer.payoutId);
  }
}
