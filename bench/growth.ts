import { request } from "node:http";
import pg from "pg";
import { fillHistory, PEOPLE } from "./fill.ts";
import { keepPlans, logPlans } from "./plans.ts";
import { makeStand, type Stand } from "./stand.ts";
import { fillWorld, pairs, signIn, type World } from "./world.ts";

export type Growth = { work: string; small: number; large: number; ratio: number };

const WARM = 5;
const ASKS = 60;

/**
 * What each page and call takes with many sales against few: the 95th of a hundred answers, asked by
 * turns of two products that run beside each other. And which of them reads a whole table that grows.
 */
export async function measureGrowth(sizes: {
  small: number;
  large: number;
}): Promise<{ rows: Growth[]; grown: { work: string; table: string }[] }> {
  const [small, large] = await Promise.all([
    makeStand({ durable: false }),
    makeStand({ durable: false }),
  ]);
  try {
    const world = await fill(large, sizes.large);
    const rows = await compareSizes(
      await asksOf(small, await fill(small, sizes.small)),
      await asksOf(large, world),
    );
    await logPlans(large.adminUrl);
    // What has been opened is opened already: the plans are of other sales.
    const unsold = { ...world, raceCardIds: world.raceCardIds.toReversed() };
    return { rows, grown: await keepPlans(large.serverLog, await asksOf(large, unsold)) };
  } finally {
    await small.close();
    await large.close();
  }
}

/** Asks for something once. */
export type Ask = () => Promise<void>;
type Asks = Record<string, Ask>;

/** Asks two products for the same by turns: the 95th of a hundred answers of each. */
export async function compareSizes(small: Asks, large: Asks): Promise<Growth[]> {
  const rows: Growth[] = [];
  for (const [work, ask] of Object.entries(small)) {
    const times = { small: [] as number[], large: [] as number[] };
    for (let turn = -WARM; turn < ASKS; turn += 1) {
      const took = await timed(ask);
      const tookLarge = await timed(large[work] ?? ask);
      if (turn < 0) continue;
      times.small.push(took);
      times.large.push(tookLarge);
    }
    const [p95, p95Large] = [p95Of(times.small), p95Of(times.large)];
    rows.push({ work, small: p95, large: p95Large, ratio: p95Large / p95 });
  }
  return rows;
}

async function fill(stand: Stand, sales: number): Promise<World> {
  const world = await fillWorld(stand.url, stand.authSecret, {
    buyers: 500,
    raceCards: 40,
    creators: 10,
  });
  await fillHistory(stand.adminUrl, sales);
  return world;
}

/** What is asked of a filled product: each page and call whose cost could grow with what was sold. */
export async function asksOf(
  stand: Pick<Stand, "url" | "authSecret" | "serve">,
  world: World,
): Promise<Asks> {
  const { origin } = await stand.serve();
  await rolledUp(stand.url);
  const cookieOf = (email: string) => signIn(stand.url, stand.authSecret, email);
  const admin = await cookieOf("admin@furlong.test");
  const star = await cookieOf(PEOPLE.star);
  const collector = await cookieOf(PEOPLE.collector);
  const next = pairs(world);
  const get = (path: string, cookie?: string) => () => answer(origin, path, { cookie });
  return {
    "open a card": () => {
      const { buyer, raceCardId } = next();
      return answer(origin, `/api/race-cards/${raceCardId}/unlock`, {
        method: "POST",
        cookie: buyer.cookie,
      });
    },
    "home, a user": get("/", collector),
    "race cards, JSON": get("/api/race-cards"),
    "leaderboard, JSON": get("/api/leaderboard"),
    "leaderboard, a user": get("/leaderboard", collector),
    "top analysts, a user": get("/top-analysts", collector),
    "racing tracks, a user": get("/racing-tracks", collector),
    "a track, a user": get("/tracks/past-track-3", collector),
    "the star's page, a user": get("/tipsters/bench-star", collector),
    "my cards": get("/my-cards", collector),
    profile: get("/profile", collector),
    "my tips, the star": get("/tipster-dashboard", star),
    "earnings, the star": get("/tipster-dashboard/earnings", star),
    "admin: tips": get("/admin", admin),
    "admin: tips, searched": get("/admin?q=horse+17", admin),
    "admin: venues": get("/admin/venues", admin),
    "admin: sales": get("/admin/sales", admin),
    "admin: packages": get("/admin/sales/packages", admin),
    "admin: tipsters": get("/admin/tipsters", admin),
    "admin: payouts": get("/admin/payouts", admin),
    "admin: payouts due": get("/admin/payouts/due", admin),
    "admin: payout history": get("/admin/payouts/history", admin),
    "admin: users": get("/admin/users", admin),
    "admin: users, searched": get("/admin/users?q=past77", admin),
    "admin: attention": get("/admin/attention", admin),
    "admin: audit": get("/admin/audit", admin),
  };
}

/** Waits until every sale and purchase is in the sums that the pages read. */
async function rolledUp(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ done: boolean }>(
        `select (select coalesce(sum(sales), 0) from standings where month = '0001-01-01')
             = (select count(*) from sales)
           and (select coalesce(sum(sales), 0) from earning_days) = (select count(*) from sales)
           and (select coalesce(sum(purchases), 0) from purchase_days)
             = (select count(*) from coin_purchases) as done`,
      );
      if (rows[0]?.done) break;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

async function timed(ask: Ask): Promise<number> {
  const begun = performance.now();
  await ask();
  return performance.now() - begun;
}

function answer(
  origin: string,
  path: string,
  { method = "GET", cookie }: { method?: string; cookie?: string } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    request(`${origin}${path}`, { method, headers: cookie ? { cookie } : {} }, (response) => {
      response.resume();
      response.on("end", () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${response.statusCode} at ${path}`)),
      );
    })
      .on("error", reject)
      .end();
  });
}

function p95Of(times: number[]): number {
  return times.sort((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}
