import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { type Answer, ask } from "./http-client.ts";
import {
  checkoutRequest,
  creditsOf,
  deliver,
  guestCheckoutRequest,
  sessionIdOf,
  startCheckout,
} from "./purchases.ts";
import type { Arena } from "./scenario.ts";
import {
  makePeople,
  makeRaceCards,
  makeTipsters,
  type Person,
  sellLongAgo,
  sessionOf,
} from "./users.ts";

/** One write by one client, who may send it as often as it likes. */
export type Act = {
  send: () => Promise<Answer>;
  /** Whether the answer says that it is done; anything else makes the client send it again. */
  isDone: (answer: Answer) => boolean;
  /** What is otherwise than it should be once it is done; null when it was done once and whole. */
  check: () => Promise<string | null>;
};

const CHECKOUT = "/.netlify/functions/create-checkout-session";
const isOk = (answer: Answer) => answer.status === 200;

/** Every write that has to survive a killed process, each with people and things of its own. */
export const AUDIT_ACTIONS: Record<string, (arena: Arena) => Promise<Act>> = {
  async checkout(arena) {
    const [buyer] = (await makePeople(arena.db, 1)) as [Person];
    const request = checkoutRequest(buyer, "value_8", randomUUID());
    return {
      send: () => ask(arena.web.origin, CHECKOUT, request),
      isDone: isOk,
      async check() {
        const { rows } = await arena.db.query<{ id: string; session: string }>(
          "select id, session_id as session from orders where user_id = $1",
          [buyer.id],
        );
        const sessions = rows.flatMap((order) => arena.provider.sessionsOf(order.id));
        return rows.length === 1 && sessions.length === 1 && rows[0]?.session === sessions[0]?.id
          ? null
          : `${rows.length} orders with ${sessions.length} sessions`;
      },
    };
  },

  async webhook(arena) {
    const [buyer] = (await makePeople(arena.db, 1)) as [Person];
    const sessionId = await startCheckout(arena, buyer);
    arena.provider.pay(sessionId);
    const event = arena.provider.event("checkout.session.completed", sessionId);
    return {
      send: () => deliver(arena, event),
      isDone: isOk,
      async check() {
        const { purchases, posted, coins } = await creditsOf(arena, sessionId);
        return purchases === 1 && posted === 1 && coins === 8
          ? null
          : `${purchases} purchases, posted ${posted} times, ${coins} coins of 8`;
      },
    };
  },

  async unlock(arena) {
    const [buyer] = (await makePeople(arena.db, 1, 12)) as [Person];
    const [card] = await makeRaceCards(arena.db, await makeTipsters(arena.db, 1));
    const request = {
      json: {},
      cookie: buyer.cookie,
      headers: { "idempotency-key": randomUUID() },
    };
    return {
      send: () => ask(arena.web.origin, `/api/race-cards/${card}/unlock`, request),
      isDone: isOk,
      check: () => salesProblem(arena, buyer.id, { sales: 1, coins: 8 }),
    };
  },

  async guestUnlock(arena) {
    const { db, dice, provider, web } = arena;
    const [raceCardId = ""] = await makeRaceCards(db, await makeTipsters(db, 1));
    const email = `${randomUUID()}@torture.test`;
    const from = `10.${dice.between(0, 255)}.${dice.between(0, 255)}.${dice.between(1, 254)}`;
    const request = guestCheckoutRequest({ email, raceCardId, key: randomUUID(), from });
    const sessionId = sessionIdOf(await ask(web.origin, CHECKOUT, request));
    provider.pay(sessionId);
    const event = provider.event("checkout.session.completed", sessionId);
    return {
      send: () => deliver(arena, event),
      isDone: isOk,
      async check() {
        const { rows } = await db.query<{ id: string }>("select id from users where email = $1", [
          email,
        ]);
        const [user] = rows;
        if (!user) return "the guest has no account";
        return await salesProblem(arena, user.id, { sales: 1, coins: 4 });
      },
    };
  },

  async batch(arena) {
    const [creator] = (await makeTipsters(arena.db, 1)) as [Person];
    const { rows } = await arena.db.query<{ id: string }>("select id from venues limit 1");
    const form = batchForm({ venueId: rows[0]?.id ?? "", days: 2, races: [1, 2, 3, 4] });
    return {
      send: () => ask(arena.web.origin, "/tipster-dashboard/add", { form, cookie: creator.cookie }),
      isDone: isOk,
      async check() {
        const counts = await arena.db.query<{ batches: number; tips: number; told: number }>(
          `select (select count(*)::int from batches where creator_id = $1) as batches,
             (select count(*)::int from tips t join race_cards c on c.id = t.race_card_id
               where c.creator_id = $1) as tips,
             (select tips from creator_records where creator_id = $1) as told`,
          [creator.id],
        );
        const { batches, tips, told } = counts.rows[0] ?? {};
        return batches === 1 && tips === 4 && told === 4
          ? null
          : `${batches} batches with ${tips} tips, of which the record tells ${told}`;
      },
    };
  },

  async payout(arena) {
    const [creator] = (await makeTipsters(arena.db, 1)) as [Person];
    await sellLongAgo(arena.db, [creator], await makePeople(arena.db, 4, 4));
    return {
      send: () =>
        ask(arena.web.origin, "/tipster-dashboard/payout", {
          form: { a: "" },
          cookie: creator.cookie,
        }),
      // Asked again, it is said that one is under way already.
      isDone: ({ status }) => status === 200 || status === 409,
      async check() {
        const { rows } = await arena.db.query<{ cents: number }>(
          "select amount_cents::int as cents from payouts where creator_id = $1",
          [creator.id],
        );
        return rows.length === 1 && rows[0]?.cents === 4 * 2800
          ? null
          : `${rows.length} payouts, the first of ${rows[0]?.cents} cents`;
      },
    };
  },

  async payoutStarted(arena) {
    return await payoutAct(arena, { path: "start", from: "requested", to: "processing" });
  },

  async payoutPaid(arena) {
    return await payoutAct(arena, { path: "paid", from: "processing", to: "paid" });
  },

  async refund(arena) {
    const { db, provider } = arena;
    const [buyer] = (await makePeople(db, 1)) as [Person];
    const sessionId = await startCheckout(arena, buyer);
    provider.pay(sessionId);
    await deliver(arena, provider.event("checkout.session.completed", sessionId));
    provider.change(sessionId, { refundedCents: provider.session(sessionId).amountCents });
    const event = provider.event("charge.refunded", sessionId);
    return {
      send: () => deliver(arena, event),
      isDone: isOk,
      async check() {
        const { rows } = await db.query<{ refunds: number; taken: number; coins: number }>(
          `select (select count(*)::int from ledger_transactions t join ledger_postings l
               on l.transaction_id = t.id
               where t.kind = 'refund' and l.account = 'wallet' and l.owner_id = $1) as refunds,
             (select taken_back_coins from coin_purchases where stripe_session_id = $2) as taken,
             (select balance_coins from wallets where user_id = $1) as coins`,
          [buyer.id, sessionId],
        );
        const { refunds, taken, coins } = rows[0] ?? {};
        return refunds === 1 && taken === 8 && coins === 0
          ? null
          : `${refunds} refunds took ${taken} coins back, ${coins} are left`;
      },
    };
  },

  async result(arena) {
    const { db, web } = arena;
    const [creator] = (await makeTipsters(db, 1)) as [Person];
    const [card] = await makeRaceCards(db, [creator], { days: -3, races: 2 });
    const { rows } = await db.query<{ id: string }>(
      "select id from tips where race_card_id = $1 order by race_number limit 1",
      [card],
    );
    const form = { tipId: rows[0]?.id ?? "", result: "won" };
    return {
      send: () => ask(web.origin, "/tipster-dashboard/result", { form, cookie: creator.cookie }),
      // Entered again, it is said that it has been.
      isDone: ({ status }) => status === 200 || status === 409,
      async check() {
        const counts = await db.query<{ result: string | null; wins: number; settled: number }>(
          `select (select result from tips where id = $2) as result,
             (select won from creator_records where creator_id = $1) as wins,
             (select count(*)::int from tips where race_card_id = $3 and result is not null) as settled`,
          [creator.id, form.tipId, card],
        );
        const { result, wins, settled } = counts.rows[0] ?? {};
        return result === "won" && wins === 1 && settled === 1
          ? null
          : `the result is ${result}, ${settled} are settled, the record tells ${wins} wins`;
      },
    };
  },

  async image(arena) {
    const [creator] = (await makeTipsters(arena.db, 1)) as [Person];
    const square = { width: 200, height: 200, channels: 3 as const, background: "#246" };
    const png = await sharp({ create: square }).png().toBuffer();
    const json = { imageData: `data:image/png;base64,${png.toString("base64")}` };
    const path = "/.netlify/functions/update-tipster-profile-image";
    return {
      send: () => ask(arena.web.origin, path, { json, cookie: creator.cookie }),
      isDone: isOk,
      async check() {
        const { rows } = await arena.db.query<{ image: string | null }>(
          "select profile_image as image from creators where user_id = $1",
          [creator.id],
        );
        const image = rows[0]?.image;
        if (!image) return "the creator has no photo";
        const shown = await ask(arena.web.origin, image);
        return shown.status === 200 ? null : `the photo is answered ${shown.status}`;
      },
    };
  },
};

/** What the operator does to a payout, from one state to the next: once, posted once, told once. */
async function payoutAct(
  { db, web }: Arena,
  { path, from, to }: { path: "start" | "paid"; from: string; to: string },
): Promise<Act> {
  const [creator] = (await makeTipsters(db, 1)) as [Person];
  await sellLongAgo(db, [creator], await makePeople(db, 4, 4));
  await ask(web.origin, "/tipster-dashboard/payout", {
    form: { a: "" },
    cookie: creator.cookie,
  });
  const { rows } = await db.query<{ id: string }>(
    `update payouts set status = $2, processing_at = case when $2 = 'processing' then now() end
     where creator_id = $1 returning id`,
    [creator.id, from],
  );
  const payout = rows[0]?.id ?? "";
  const { cookie } = await sessionOf(db, "admin@torture.test");
  const form = { payout, password: "a password of the torture", back: "/admin" };
  if (path === "paid") await ask(web.origin, "/admin/payouts/payment-file", { form, cookie });
  return {
    send: () => ask(web.origin, `/admin/payouts/${path}`, { form, cookie }),
    isDone: isOk,
    async check() {
      const { rows: ends } = await db.query<Record<string, unknown>>(
        `select status,
           (select count(*)::int from audit_entries where subject = $1 and act = $2) as written,
           (select count(*)::int from ledger_transactions where kind = 'payout' and reference = $1) as posted,
           (select count(*)::int from mails m where m.kind = 'payout-paid' and m.user_id = p.creator_id) as told
         from payouts p where id = $1::uuid`,
        [payout, path === "start" ? "start-payout" : "mark-payout-paid"],
      );
      const once = to === "paid" ? 1 : 0;
      const { status, written, posted, told } = ends[0] ?? {};
      return status === to && written === 1 && posted === once && told === once
        ? null
        : `the payout is ${status}, written down ${written} times, posted ${posted}, told ${told}`;
    },
  };
}

/** A batch as the form sends it. */
export function batchForm({
  venueId,
  days,
  races,
}: {
  venueId: string;
  days: number;
  races: number[];
}): Record<string, string> {
  const raceDate = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const fields = races.flatMap((raceNumber, index) =>
    Object.entries({
      raceNumber: String(raceNumber),
      raceTime: "14:00",
      horseNumber: "3",
      horseName: "Horse",
      tipType: "win",
      confidence: "high",
      analysis: "Well drawn.",
    }).map(([name, value]) => [`races.${index}.${name}`, value]),
  );
  return { batchKey: randomUUID(), venueId, raceDate, ...Object.fromEntries(fields) };
}

async function salesProblem(
  { db }: Arena,
  buyerId: string,
  expected: { sales: number; coins: number },
): Promise<string | null> {
  const { rows } = await db.query<{ sales: number; coins: number }>(
    `select (select count(*)::int from sales where buyer_id = $1) as sales,
       (select balance_coins from wallets where user_id = $1) as coins`,
    [buyerId],
  );
  const { sales, coins } = rows[0] ?? {};
  return sales === expected.sales && coins === expected.coins
    ? null
    : `${sales} sales and ${coins} coins left, not ${expected.sales} and ${expected.coins}`;
}
