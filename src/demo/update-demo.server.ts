import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { findUserByEmail } from "#identity/identity.server.ts";
import { rollUpStandings } from "#leaderboard/leaderboard.server.ts";
import { rollUpEarnings } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { env } from "#platform/env.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { listVenues } from "#racing/racing.server.ts";
import { makeCards } from "./make-cards.server.ts";
import { makePayouts } from "./make-payouts.server.ts";
import { makePeople } from "./make-people.server.ts";
import { makeRaceDays } from "./make-race-days.server.ts";
import { makeResults } from "./make-results.server.ts";
import { makeSales } from "./make-sales.server.ts";
import { withDemoLock } from "./only-one-at-a-time.server.ts";
import { addressOf } from "./people.ts";
import { DAYS_OF_HISTORY, daysAt } from "./world.ts";

/**
 * Makes the demo's world what it has to be at this moment: its people, sixty days of history, and cards
 * on sale for today and tomorrow. What is there already stays, so it may run as often as anyone likes.
 */
export async function updateDemo({
  daysBack = DAYS_OF_HISTORY,
}: {
  daysBack?: number;
} = {}): Promise<void> {
  if (env().mode !== "demo") throw new Error("only the demo has a world of its own");
  await withDemoLock(async () => {
    const at = now();
    const days = daysAt(at, daysBack);
    const isNewWorld = (await findUserByEmail(addressOf("tipster"))) === null;
    const since = instantAt(addDays(dateAt(at), -DAYS_OF_HISTORY - 2), "09:00");
    const people = await makePeople(since);
    const venues = new Map((await listVenues()).map((venue) => [venue.slug, venue]));
    await makeRaceDays(days, venues, at);
    await makeCards(days, people, venues, at);
    await makeSales(days, people, venues, at);
    await makeResults(days, people, venues, at);
    await makePayouts(people, at, isNewWorld);
    await rollUpStandings();
    await rollUpEarnings();
  });
}

/** What may have been missed while running; after a longer rest there has been a start. */
const DAYS_BACK_WHILE_RUNNING = 5;

/** Keeps the demo's world up to the hour: tomorrow's cards come, and today's results. */
export const refreshDemo: Job = {
  name: "keep-demo",
  schedule: "7 * * * *",
  run: () => updateDemo({ daysBack: DAYS_BACK_WHILE_RUNNING }),
};
