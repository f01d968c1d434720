import { type ClientResponse, sendRequest } from "../http-client.ts";
import { removeUnlockGuards } from "../inject-faults.ts";
import { LedgerMonitor } from "../ledger-monitor.ts";
import { deliver, startCheckout } from "../purchases.ts";
import type { Environment, Scenario } from "../scenario.ts";
import {
  createPastSales,
  createRaceCards,
  createTipsters,
  createUsers,
  signInAsAdmin,
  type TestUser,
} from "../users.ts";
import { createBatchForm } from "../writes.ts";

const WORKERS = 8;
const BUYERS = { quick: 40, full: 600 };
const CREATORS = 12;
const SECONDS = { quick: 8, full: 600 };

type Participants = {
  buyers: TestUser[];
  creators: TestUser[];
  cards: string[];
  unsettledTips: { tipId: string; creator: TestUser }[];
  venues: string[];
  admin: TestUser;
};

/**
 * All kinds of writes run concurrently, with few coins so that many unlocks are refused. No ledger
 * total may be wrong and no balance negative at any time, and no request may fail.
 */
export const mixedWork: Scenario = {
  name: "mixed-work",
  injectFault: ({ db }) => removeUnlockGuards(db),
  async run(environment) {
    const participants = await createParticipants(environment);
    const seconds = environment.quick ? SECONDS.quick : SECONDS.full;
    const monitor = new LedgerMonitor(environment);
    const until = Date.now() + seconds * 1000;
    const responses = new Map<string, ClientResponse[]>();
    const runWorker = async () => {
      while (Date.now() < until) {
        const write = environment.random.pick(WRITES);
        const received = await write.run(environment, participants);
        const previous = responses.get(write.name) ?? [];
        previous.push(...received);
        responses.set(write.name, previous);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, runWorker));
    const { reads, problems } = await monitor.stop();
    for (const [name, received] of responses)
      for (const { status, text } of received.filter(isError).slice(0, 3))
        problems.push(`${name} returned ${status} ${text.slice(0, 120)}`);
    const counts = [...responses].map(([name, received]) => `${received.length} ${name}`).sort();
    return {
      description: `${counts.join(", ")} in ${seconds} s`,
      measurement: `${reads} reads of the totals, ${problems.length} with problems`,
      problems,
    };
  },
};

function isError({ status }: ClientResponse): boolean {
  return status === 0 || status >= 500;
}

async function createParticipants({ db, quick }: Environment): Promise<Participants> {
  const buyers = await createUsers(db, quick ? BUYERS.quick : BUYERS.full, 12);
  const creators = await createTipsters(db, CREATORS);
  const cards = await createRaceCards(db, creators);
  const pastBuyers = await createUsers(db, 6, 4 * CREATORS);
  await createPastSales(db, creators, pastBuyers);
  const { rows: tips } = await db.query<{ tipId: string; creatorId: string }>(
    `select t.id as "tipId", c.creator_id as "creatorId"
     from tips t join race_cards c on c.id = t.race_card_id
     where t.result is null and c.race_date < current_date - 1 and c.creator_id = any($1::uuid[])`,
    [creators.map((creator) => creator.id)],
  );
  const { rows: venues } = await db.query<{ id: string }>("select id from venues order by slug");
  return {
    buyers,
    creators,
    cards,
    unsettledTips: tips.flatMap(({ tipId, creatorId }) => {
      const creator = creators.find(({ id }) => id === creatorId);
      return creator ? [{ tipId, creator }] : [];
    }),
    venues: venues.map((venue) => venue.id),
    admin: await signInAsAdmin(db),
  };
}

type Write = {
  name: string;
  run: (environment: Environment, participants: Participants) => Promise<ClientResponse[]>;
};

const unlock: Write = {
  name: "unlocks",
  async run({ random, web }, { buyers, cards }) {
    const path = `/api/race-cards/${random.pick(cards)}/unlock`;
    const request = { json: {}, cookie: random.pick(buyers).cookie };
    const times = random.chance(0.3) ? 2 : 1;
    return await Promise.all(
      Array.from({ length: times }, () => sendRequest(web.origin, path, request)),
    );
  },
};

const buyCoins: Write = {
  name: "webhooks",
  async run(environment, { buyers }) {
    const { random, provider } = environment;
    const sessionId = await startCheckout(environment, random.pick(buyers)).catch(() => null);
    if (!sessionId) return []; // the rate limit of one buyer
    provider.pay(sessionId);
    const events = [provider.event("checkout.session.completed", sessionId)];
    if (random.chance(0.2)) {
      provider.change(sessionId, { refundedCents: 3500 });
      events.push(provider.event("charge.refunded", sessionId));
    }
    if (random.chance(0.1)) {
      provider.change(sessionId, { disputeStatus: "needs_response" });
      events.push(provider.event("charge.dispute.created", sessionId));
      provider.change(sessionId, { disputeStatus: random.pick(["won", "lost"] as const) });
      events.push(provider.event("charge.dispute.closed", sessionId));
    }
    return await Promise.all(
      random.shuffle([...events, ...events]).map((event) => deliver(environment, event)),
    );
  },
};

const markResult: Write = {
  name: "results",
  async run({ random, web }, { unsettledTips }) {
    const { tipId, creator } = random.pick(unsettledTips);
    const send = (result: string) =>
      sendRequest(web.origin, "/tipster-dashboard/result", {
        form: { tipId, result },
        cookie: creator.cookie,
      });
    return await Promise.all([send("won"), send("lost")]);
  },
};

const publish: Write = {
  name: "batches",
  async run({ random, web }, { creators, venues }) {
    const form = createBatchForm({
      venueId: random.pick(venues),
      days: random.between(1, 13),
      races: [random.between(1, 12)],
    });
    const request = { form, cookie: random.pick(creators).cookie };
    const send = () => sendRequest(web.origin, "/tipster-dashboard/add", request);
    return await Promise.all([send(), send()]);
  },
};

const processPayout: Write = {
  name: "payouts",
  async run(environment, { creators, admin }) {
    const { random, web, db } = environment;
    const { cookie } = random.pick(creators);
    const request = () =>
      sendRequest(web.origin, "/tipster-dashboard/payout", { form: { a: "" }, cookie });
    const responses = await Promise.all([request(), request()]);
    const { rows } = await db.query<{ id: string; status: string; is_exported: boolean }>(
      `select id, status, export_id is not null as is_exported from payouts
       where status in ('requested', 'processing') limit 1`,
    );
    const [payout] = rows;
    if (!payout) return responses;
    const form = { payout: payout.id, back: "/admin" };
    const isStarted = payout.status === "processing";
    const path = isStarted ? (payout.is_exported ? "paid" : "payment-file") : "start";
    const submit = () =>
      sendRequest(web.origin, `/admin/payouts/${path}`, { form, cookie: admin.cookie });
    return [...responses, ...(await Promise.all([submit(), submit()]))];
  },
};

/** Selected at random; repeated entries are selected more often. */
const WRITES: readonly Write[] = [
  unlock,
  unlock,
  unlock,
  unlock,
  unlock,
  buyCoins,
  markResult,
  publish,
  processPayout,
];
