import { sql } from "drizzle-orm";
import { addDays, type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { enqueueBulkEmails } from "#platform/mail/mailer.server.ts";
import { createUnsubscribeUrl } from "#platform/mail/unsubscribe-links.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { runEach } from "#platform/run-each.server.ts";
import { readPublicResults } from "#racing/racing.server.ts";
import { readMyDay } from "./read-my-day.server.ts";
import { type RaceCardOfDay, renderResultsEmail } from "./results.email.tsx";

/** From this time on the email says which results are still open, instead of waiting for the last of them. */
const LATEST_TIME = "21:00";
/** From this time on emails are sent for the day before, to those who got none. */
const EARLIEST_TIME = "07:00";
const BUYERS_PER_RUN = 500;

/**
 * Emails buyers the results of the race cards that they opened for today: once all are official, and in the evening once
 * one is. Buyers who got none, because the first result became official about midnight or the job did not run, get it in
 * the morning. Each buyer gets one email for each day, also when results are corrected or race cards are opened later.
 */
export const emailResults: Job = {
  name: "email-results",
  everySeconds: 60,
  async run() {
    const at = now();
    const today = dateAt(at);
    const yesterday = addDays(today, -1);
    await database().execute(sql`delete from results_emails where race_date < ${yesterday}`);
    await emailDay(today, { canBePartial: at >= instantAt(today, LATEST_TIME) });
    if (at >= instantAt(today, EARLIEST_TIME)) await emailDay(yesterday, { canBePartial: true });
  },
};

/** Sends no email about the results of the day before a date. For the demo's history. */
export async function skipResultsEmailsBefore(date: CalendarDate): Promise<void> {
  await database().execute(sql`
    insert into results_emails (race_date, buyer_id, created_at)
    select distinct c.race_date, s.buyer_id, ${now().toISOString()}::timestamptz
    from race_cards c join sales s on s.race_card_id = c.id
    where c.race_date = ${addDays(date, -1)}
    on conflict do nothing`);
}

/** Emails the buyers of a day all of whose results are official or, with `canBePartial`, one of them. */
async function emailDay(
  raceDate: CalendarDate,
  { canBePartial }: { canBePartial: boolean },
): Promise<void> {
  const { rows } = await database().execute<{ id: string }>(sql`
    with opened as (
      select s.buyer_id, t.result is not null and not t.is_claim as is_official
      from race_cards c
      join sales s on s.race_card_id = c.id
      join tips t on t.race_card_id = c.id and (t.hidden_at is null or t.hidden_at > s.created_at)
      where c.race_date = ${raceDate}
    )
    select u.id from opened o join users u on u.id = o.buyer_id
    where ${WANTS_RESULTS}
      and not exists (select from results_emails e where e.race_date = ${raceDate} and e.buyer_id = u.id)
    group by u.id
    having bool_and(o.is_official) or (${canBePartial} and bool_or(o.is_official))
    order by u.id limit ${BUYERS_PER_RUN}`);
  await runEach(
    emailResults.name,
    rows,
    ({ id }) => `buyer ${id}, ${raceDate}`,
    ({ id }) => emailBuyer(id, raceDate),
  );
}

/** The condition under which the results of opened race cards go to a user `u`. */
const WANTS_RESULTS = sql`u.email_verified and u.closed_at is null
  and not exists (select from results_email_settings s where s.user_id = u.id and not s.wants_email)
  and not exists (select from creators k where k.user_id = u.id and k.suspended_at is not null)`;

async function emailBuyer(buyerId: string, raceDate: CalendarDate): Promise<void> {
  const raceCards = await readRaceCardsOfDay(buyerId, raceDate);
  await transaction(async (tx) => {
    // Of two processes at once, the second waits for the first to commit and then inserts nothing. The lock waits for a
    // user who is closing the account.
    const { rows } = await tx.execute<{ name: string; email: string }>(sql`
      with recipient as (
        insert into results_emails (race_date, buyer_id, created_at)
        select ${raceDate}, u.id, ${now().toISOString()} from users u where u.id = ${buyerId} and ${WANTS_RESULTS}
        for share of u
        on conflict do nothing returning buyer_id
      )
      select u.name, u.email from recipient r join users u on u.id = r.buyer_id`);
    const [user] = rows;
    if (!user) return;
    const unsubscribeUrl = createUnsubscribeUrl("results", buyerId);
    const email = await renderResultsEmail({
      name: user.name,
      raceDate,
      raceCards,
      unsubscribeUrl,
    });
    await enqueueBulkEmails(tx, [
      { to: user.email, userId: buyerId, kind: "results", unsubscribeUrl, ...email },
    ]);
  });
}

async function readRaceCardsOfDay(
  buyerId: string,
  raceDate: CalendarDate,
): Promise<RaceCardOfDay[]> {
  const { raceCards, selections } = await readMyDay(buyerId, raceDate);
  const venueIds = [...new Set(raceCards.map(({ venue }) => venue.id))];
  const results = new Map(
    await Promise.all(
      venueIds.map(
        async (venueId) => [venueId, await readPublicResults({ venueId, raceDate })] as const,
      ),
    ),
  );
  return raceCards.map(({ id, venue }) => ({
    id,
    selections: selections.filter(({ raceCardId }) => raceCardId === id),
    results: results.get(venue.id) ?? [],
  }));
}

/** Returns whether a user gets the results of opened race cards by email: everyone does unless they stopped it. */
export async function readResultsEmailSetting(userId: string): Promise<boolean> {
  const { rows } = await database().execute<{ wantsEmail: boolean }>(sql`
    select wants_email as "wantsEmail" from results_email_settings where user_id = ${userId}`);
  return rows[0]?.wantsEmail ?? true;
}
