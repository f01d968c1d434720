import { sql } from "drizzle-orm";
import { readUsers } from "#accounts/accounts.server.ts";
import { type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import { findLastPayDay, MIN_PAYOUT_CENTS } from "#domain/pay-day.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { isWithinLimit } from "#platform/rate-limits.server.ts";
import { runEach } from "#platform/run-each.server.ts";
import { renderBankDetailsMissingEmail } from "./bank-details-missing.email.tsx";
import { createPayout } from "./create-payout.server.ts";

const ONCE_PER_PAY_DAY = { max: 1, seconds: 40 * 24 * 60 * 60 };

/**
 * Creates the missing payouts of the last pay day from the earnings that were payable at its start, so that a
 * late or repeated run has the same result. Tries again on the next day for creators with an open payout or
 * with missing or recently changed bank details. Suspended creators do not wait for the pay day: once everything that
 * they are owed is payable, it is paid whatever the amount.
 */
async function runPayDay(): Promise<void> {
  const payDay = findLastPayDay(dateAt(now()));
  const payableBy = instantAt(payDay);
  const at = now();
  const { rows } = await database().execute<{ creator_id: string; is_suspended: boolean }>(sql`
    select d.creator_id, d.is_suspended from (
      select e.creator_id, sum(e.amount_cents) as cents,
        sum(e.amount_cents) filter (where e.payable_at <= ${payableBy}) as due_cents,
        max(e.payable_at) as last_payable_at, k.suspended_at is not null as is_suspended
      from earnings e join creators k on k.user_id = e.creator_id
      where e.payout_id is null and e.held_at is null
        and (e.payable_at <= ${payableBy} or k.suspended_at is not null)
        and not exists (select from earning_reversals r where r.sale_id = e.sale_id)
      group by e.creator_id, k.suspended_at) d
    where d.due_cents >= ${MIN_PAYOUT_CENTS}
      or (d.is_suspended and d.last_payable_at <= ${at} and d.cents > 0)
    order by d.creator_id`);
  await runEach(
    payDayRun.name,
    rows,
    (row) => `creator ${row.creator_id}`,
    async ({ creator_id: creatorId, is_suspended: isSuspended }) => {
      const result = await transaction((tx) =>
        createPayout(tx, { creatorId, payableBy: isSuspended ? at : payableBy, payDay }),
      );
      if (result.ok) return;
      const { refusal } = result;
      if (refusal === "no-bank-details" || refusal === "bank-details-unusable")
        await sendMissingBankDetailsEmail(creatorId, payDay, refusal === "bank-details-unusable");
    },
  );
}

/** Emails a creator about missing bank details, once per pay day. */
async function sendMissingBankDetailsEmail(
  creatorId: string,
  payDay: CalendarDate,
  hasUnusableDetails: boolean,
): Promise<void> {
  const isAllowed = await isWithinLimit(
    `bank-details-missing:${creatorId}:${payDay}`,
    ONCE_PER_PAY_DAY,
  );
  const user = isAllowed ? (await readUsers([creatorId])).get(creatorId) : undefined;
  if (!user) return;
  const email = await renderBankDetailsMissingEmail({ name: user.name, hasUnusableDetails });
  await transaction((tx) =>
    enqueueEmail(tx, { to: user.email, userId: user.id, kind: "bank-details-missing", ...email }),
  );
}

/** Runs daily, so that a missed run does not skip a month. */
export const payDayRun: Job = {
  name: "pay-day-run",
  schedule: "30 5 * * *",
  run: runPayDay,
};
