import { type Answer, ask } from "../http-client.ts";
import { BooksWatch } from "../ledger-monitor.ts";
import { unlockUnguarded } from "../planted-faults.ts";
import { deliver, startCheckout } from "../purchases.ts";
import type { Arena, Trial } from "../scenario.ts";
import {
  makePeople,
  makeRaceCards,
  makeTipsters,
  type Person,
  sellLongAgo,
  sessionOf,
} from "../users.ts";
import { batchForm } from "../writes.ts";

const WORKERS = 8;
const BUYERS = { quick: 40, full: 600 };
const CREATORS = 12;
const SECONDS = { quick: 8, full: 600 };

type Cast = {
  buyers: Person[];
  creators: Person[];
  cards: string[];
  settling: { tipId: string; creator: Person }[];
  venues: string[];
  admin: Person;
};

/**
 * Everybody at work at once, with few coins so that many are refused: all the while no total of the
 * books is wrong and no balance negative, and nothing fails.
 */
export const mixedWork: Trial = {
  name: "mixed-work",
  breakIt: ({ db }) => unlockUnguarded(db),
  async run(arena) {
    const cast = await gather(arena);
    const seconds = arena.quick ? SECONDS.quick : SECONDS.full;
    const watch = new BooksWatch(arena);
    const until = Date.now() + seconds * 1000;
    const answers = new Map<string, Answer[]>();
    const work = async () => {
      while (Date.now() < until) {
        const act = arena.dice.pick(AUDIT_ACTIONS);
        const given = await act.run(arena, cast);
        const known = answers.get(act.name) ?? [];
        known.push(...given);
        answers.set(act.name, known);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    const { reads, problems } = await watch.stop();
    for (const [act, given] of answers)
      for (const { status, text } of given.filter(isFault).slice(0, 3))
        problems.push(`${act} was answered ${status} ${text.slice(0, 120)}`);
    const counts = [...answers].map(([act, given]) => `${given.length} ${act}`).sort();
    return {
      did: `${counts.join(", ")} in ${seconds} s`,
      figure: `${reads} reads of the totals, ${problems.length} of them wrong`,
      problems,
    };
  },
};

function isFault({ status }: Answer): boolean {
  return status === 0 || status >= 500;
}

async function gather({ db, quick }: Arena): Promise<Cast> {
  const buyers = await makePeople(db, quick ? BUYERS.quick : BUYERS.full, 12);
  const creators = await makeTipsters(db, CREATORS);
  const cards = await makeRaceCards(db, creators);
  const early = await makePeople(db, 6, 4 * CREATORS);
  await sellLongAgo(db, creators, early);
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
    settling: tips.flatMap(({ tipId, creatorId }) => {
      const creator = creators.find((each) => each.id === creatorId);
      return creator ? [{ tipId, creator }] : [];
    }),
    venues: venues.map((venue) => venue.id),
    admin: await sessionOf(db, "admin@torture.test"),
  };
}

type Act = { name: string; run: (arena: Arena, cast: Cast) => Promise<Answer[]> };

const unlock: Act = {
  name: "unlocks",
  async run({ dice, web }, { buyers, cards }) {
    const path = `/api/race-cards/${dice.pick(cards)}/unlock`;
    const request = { json: {}, cookie: dice.pick(buyers).cookie };
    const times = dice.chance(0.3) ? 2 : 1;
    return await Promise.all(Array.from({ length: times }, () => ask(web.origin, path, request)));
  },
};

const buy: Act = {
  name: "webhooks",
  async run(arena, { buyers }) {
    const { dice, provider } = arena;
    const sessionId = await startCheckout(arena, dice.pick(buyers)).catch(() => null);
    if (!sessionId) return []; // too many checkouts of one buyer
    provider.pay(sessionId);
    const events = [provider.event("checkout.session.completed", sessionId)];
    if (dice.chance(0.2)) {
      provider.change(sessionId, { refundedCents: 3500 });
      events.push(provider.event("charge.refunded", sessionId));
    }
    if (dice.chance(0.1)) {
      provider.change(sessionId, { disputeStatus: "needs_response" });
      events.push(provider.event("charge.dispute.created", sessionId));
      provider.change(sessionId, { disputeStatus: dice.pick(["won", "lost"] as const) });
      events.push(provider.event("charge.dispute.closed", sessionId));
    }
    return await Promise.all(
      dice.shuffle([...events, ...events]).map((event) => deliver(arena, event)),
    );
  },
};

const settle: Act = {
  name: "results",
  async run({ dice, web }, { settling }) {
    const { tipId, creator } = dice.pick(settling);
    const send = (result: string) =>
      ask(web.origin, "/tipster-dashboard/result", {
        form: { tipId, result },
        cookie: creator.cookie,
      });
    return await Promise.all([send("won"), send("lost")]);
  },
};

const publish: Act = {
  name: "batches",
  async run({ dice, web }, { creators, venues }) {
    const form = batchForm({
      venueId: dice.pick(venues),
      days: dice.between(1, 13),
      races: [dice.between(1, 12)],
    });
    const request = { form, cookie: dice.pick(creators).cookie };
    const send = () => ask(web.origin, "/tipster-dashboard/add", request);
    return await Promise.all([send(), send()]);
  },
};

const payOut: Act = {
  name: "payouts",
  async run(arena, { creators, admin }) {
    const { dice, web, db } = arena;
    const { cookie } = dice.pick(creators);
    const request = () => ask(web.origin, "/tipster-dashboard/payout", { form: { a: "" }, cookie });
    const answers = await Promise.all([request(), request()]);
    const { rows } = await db.query<{ id: string; status: string; is_exported: boolean }>(
      `select id, status, export_id is not null as is_exported from payouts
       where status in ('requested', 'processing') limit 1`,
    );
    const [payout] = rows;
    if (!payout) return answers;
    const form = { payout: payout.id, password: "a password of the torture", back: "/admin" };
    const isStarted = payout.status === "processing";
    const path = isStarted ? (payout.is_exported ? "paid" : "payment-file") : "start";
    const press = () => ask(web.origin, `/admin/payouts/${path}`, { form, cookie: admin.cookie });
    return [...answers, ...(await Promise.all([press(), press()]))];
  },
};

/** Each as often as it stands here. */
const AUDIT_ACTIONS: readonly Act[] = [
  unlock,
  unlock,
  unlock,
  unlock,
  unlock,
  buy,
  settle,
  publish,
  payOut,
];
