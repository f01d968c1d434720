import { sql } from "drizzle-orm";
import { type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import { lastPayDay, MIN_PAYOUT_CENTS } from "#domain/pay-day.ts";
import { readUsers } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { withinLimit } from "#platform/rate-limits.server.ts";
import { bankDetailsMissingMail } from "./bank-details-missing.email.tsx";
import { makePayout } from "./make-payout.server.ts";

const ONCE_A_PAY_DAY = { max: 1, seconds: 40 * 24 * 60 * 60 };

/**
 * Makes the payouts of the last pay day that are not there yet, from what could be paid as that day
 * began: run late, or again, it comes to the same. Who has an open payout, or bank details that are
 * missing or new, is looked at again the next day. Answers how many were made.
 */
export async function runPayDay(): Promise<number> {
  const payDay = lastPayDay(dateAt(now()));
  const payableBy = instantAt(payDay);
  const { rows } = await database().execute<{ creator_id: string }>(sql`
    select e.creator_id from earnings e
    where e.payout_id is null and e.held_at is null and e.payable_at <= ${payableBy}
      and not exists (select from earning_reversals r where r.sale_id = e.sale_id)
    group by e.creator_id having sum(e.amount_cents) >= ${MIN_PAYOUT_CENTS}
    order by e.creator_id`);
  let made = 0;
  for (const { creator_id: creatorId } of rows) {
    const answer = await transaction((tx) => makePayout(tx, { creatorId, payableBy, isRun: true }));
    if (answer.ok) made += 1;
    else if (answer.refusal === "no-bank-details" || answer.refusal === "bank-details-unusable")
      await askForBankDetails(creatorId, payDay, answer.refusal === "bank-details-unusable");
  }
  return made;
}

/** Once for each pay day, however often it is looked at. */
async function askForBankDetails(
  creatorId: string,
  payDay: CalendarDate,
  areUnusable: boolean,
): Promise<void> {
  const isFirst = await withinLimit(`bank-details-missing:${creatorId}:${payDay}`, ONCE_A_PAY_DAY);
  const user = isFirst ? (await readUsers([creatorId])).get(creatorId) : undefined;
  if (!user) return;
  const mail = await bankDetailsMissingMail({ name: user.name, areUnusable });
  await transaction((tx) =>
    enqueueMail(tx, { to: user.email, userId: user.id, kind: "bank-details-missing", ...mail }),
  );
}

/** Looks each day whether the payouts of the last 15th are there, so that no missed day misses a month. */
export const payDayRun: Job = {
  name: "pay-day-run",
  schedule: "30 5 * * *",
  async run() {
    await runPayDay();
  },
};
