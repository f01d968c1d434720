import { findUserByEmail } from "#accounts/accounts.server.ts";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { rollUpEarnings } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { env } from "#platform/env.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { listVenues } from "#racing/racing.server.ts";
import { skipResultsEmailsBefore } from "#sales/sales.server.ts";
import { rollUpStandings } from "#standings/standings.server.ts";
import { DAYS_OF_HISTORY, planDemoDays } from "./demo-days.ts";
import { withDemoLock } from "./demo-lock.server.ts";
import { makeLog } from "./make-log.server.ts";
import { makePayouts } from "./make-payouts.server.ts";
import { makePeople } from "./make-people.server.ts";
import { makeRaceCards } from "./make-race-cards.server.ts";
import { makeRaceDays } from "./make-race-days.server.ts";
import { makeResults } from "./make-results.server.ts";
import { makeSales } from "./make-sales.server.ts";
import { toDemoEmail } from "./people.ts";

/**
 * Creates the demo data that is missing now: its people, 60 days of history, and race cards on sale
 * for today and tomorrow. Idempotent: existing data stays. Throws outside demo mode.
 */
export async function updateDemo({
  daysBack = DAYS_OF_HISTORY,
}: {
  daysBack?: number;
} = {}): Promise<void> {
  if (env().mode !== "demo") throw new Error("demo data can be created in demo mode only");
  await withDemoLock(async () => {
    const at = now();
    const days = planDemoDays(at, daysBack);
    const isFirstRun = (await findUserByEmail(toDemoEmail("tipster"))) === null;
    const since = instantAt(addDays(dateAt(at), -DAYS_OF_HISTORY - 2), "09:00");
    const people = await makePeople(since);
    const venues = new Map((await listVenues()).map((venue) => [venue.slug, venue]));
    await makeRaceDays(days, venues, at, { isFirst: true });
    await makeRaceCards(days, people, venues, at);
    await makeRaceDays(days, venues, at);
    await makeSales(days, people, venues, at);
    await makeResults(days, people, venues, at);
    if (isFirstRun) await skipResultsEmailsBefore(dateAt(at));
    await makePayouts(people, at, isFirstRun);
    await makeLog(since, at);
    await rollUpStandings();
    await rollUpEarnings();
  });
}

/** Covers days on which the hourly job failed. A longer gap is filled at the next start. */
const DAYS_BACK_WHILE_RUNNING = 5;

/** Adds tomorrow's race cards and today's results every hour. */
export const refreshDemo: Job = {
  name: "refresh-demo",
  schedule: "7 * * * *",
  run: () => updateDemo({ daysBack: DAYS_BACK_WHILE_RUNNING }),
};
