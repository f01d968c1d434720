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
 * with missing or recently changed bank details.
 */
async function runPayDay(): Promise<void> {
  const payDay = findLastPayDay(dateAt(now()));
  const payableBy = instantAt(payDay);
  const { rows } = await database().execute<{ creator_id: string }>(sql`
    select e.creator_id from earnings e
    where e.payout_id is null and e.held_at is null and e.payable_at <= ${payableBy}
      and not exists (select from earning_reversals r where r.sale_id = e.sale_id)
    group by e.creator_id having sum(e.amount_cents) >= ${MIN_PAYOUT_CENTS}
    order by e.creator_id`);
  await runEach(
    payDayRun.name,
    rows.map((row) => row.creator_id),
    (creatorId) => `creator ${creatorId}`,
    async (creatorId) => {
      const result = await transaction((tx) => createPayout(tx, { creatorId, payableBy, payDay }));
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
