import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { type ClientResponse, sendRequest } from "./http-client.ts";
import {
  checkoutRequest,
  deliver,
  guestCheckoutRequest,
  readCredits,
  readSessionId,
  startCheckout,
} from "./purchases.ts";
import type { Environment } from "./scenario.ts";
import {
  createPastSales,
  createRaceCards,
  createTipsters,
  createUsers,
  signInAsAdmin,
  type TestUser,
} from "./users.ts";

/** One write that a client may repeat any number of times. */
export type Write = {
  send: () => Promise<ClientResponse>;
  /** Returns true when the response confirms the write; otherwise the client retries. */
  isConfirmed: (response: ClientResponse) => boolean;
  /** Returns the problem with the stored result; null when the write was applied exactly once. */
  check: () => Promise<string | null>;
};

const CHECKOUT = "/.netlify/functions/create-checkout-session";
const isSuccess = (response: ClientResponse) => response.status === 200;

/** The writes that must survive a killed process. Each creates its own users and data. */
export const WRITES: Record<string, (environment: Environment) => Promise<Write>> = {
  async checkout(environment) {
    const [buyer] = (await createUsers(environment.db, 1)) as [TestUser];
    const request = checkoutRequest(buyer, "value_8", randomUUID());
    return {
      send: () => sendRequest(environment.web.origin, CHECKOUT, request),
      isConfirmed: isSuccess,
      async check() {
        const { rows } = await environment.db.query<{ id: string; session: string }>(
          "select id, session_id as session from orders where user_id = $1",
          [buyer.id],
        );
        const sessions = rows.flatMap((order) => environment.provider.listSessions(order.id));
        return rows.length === 1 && sessions.length === 1 && rows[0]?.session === sessions[0]?.id
          ? null
          : `${rows.length} orders with ${sessions.length} sessions`;
      },
    };
  },

  async webhook(environment) {
    const [buyer] = (await createUsers(environment.db, 1)) as [TestUser];
    const sessionId = await startCheckout(environment, buyer);
    environment.provider.pay(sessionId);
    const event = environment.provider.event("checkout.session.completed", sessionId);
    return {
      send: () => deliver(environment, event),
      isConfirmed: isSuccess,
      async check() {
        const { purchases, posted, coins } = await readCredits(environment, sessionId);
        return purchases === 1 && posted === 1 && coins === 8
          ? null
          : `${purchases} purchases, posted ${posted} times, ${coins} coins of 8`;
      },
    };
  },

  async unlock(environment) {
    const [buyer] = (await createUsers(environment.db, 1, 12)) as [TestUser];
    const [card] = await createRaceCards(environment.db, await createTipsters(environment.db, 1));
    const request = {
      json: {},
      cookie: buyer.cookie,
      headers: { "idempotency-key": randomUUID() },
    };
    return {
      send: () => sendRequest(environment.web.origin, `/api/race-cards/${card}/unlock`, request),
      isConfirmed: isSuccess,
      check: () => findSalesProblem(environment, buyer.id, { sales: 1, coins: 8 }),
    };
  },

  async guestUnlock(environment) {
    const { db, random, provider, web } = environment;
    const [raceCardId = ""] = await createRaceCards(db, await createTipsters(db, 1));
    const email = `${randomUUID()}@chaos.test`;
    const clientAddress = `10.${random.between(0, 255)}.${random.between(0, 255)}.${random.between(1, 254)}`;
    const request = guestCheckoutRequest({ email, raceCardId, key: randomUUID(), clientAddress });
    const sessionId = readSessionId(await sendRequest(web.origin, CHECKOUT, request));
    provider.pay(sessionId);
    const event = provider.event("checkout.session.completed", sessionId);
    return {
      send: () => deliver(environment, event),
      isConfirmed: isSuccess,
      async check() {
        const { rows } = await db.query<{ id: string }>("select id from users where email = $1", [
          email,
        ]);
        const [user] = rows;
        if (!user) return "the guest has no account";
        return await findSalesProblem(environment, user.id, { sales: 1, coins: 4 });
      },
    };
  },

  async batch(environment) {
    const [creator] = (await createTipsters(environment.db, 1)) as [TestUser];
    const { rows } = await environment.db.query<{ id: string }>("select id from venues limit 1");
    const form = createBatchForm({ venueId: rows[0]?.id ?? "", days: 2, races: [1, 2, 3, 4] });
    return {
      send: () =>
        sendRequest(environment.web.origin, "/tipster-dashboard/add", {
          form,
          cookie: creator.cookie,
        }),
      isConfirmed: isSuccess,
      async check() {
        const counts = await environment.db.query<{
          batches: number;
          tips: number;
          counted: number;
        }>(
          `select (select count(*)::int from batches where creator_id = $1) as batches,
             (select count(*)::int from tips t join race_cards c on c.id = t.race_card_id
               where c.creator_id = $1) as tips,
             (select tips from creator_records where creator_id = $1) as counted`,
          [creator.id],
        );
        const { batches, tips, counted } = counts.rows[0] ?? {};
        return batches === 1 && tips === 4 && counted === 4
          ? null
          : `${batches} batches with ${tips} tips, of which the track record counts ${counted}`;
      },
    };
  },

  async payout(environment) {
    const [creator] = (await createTipsters(environment.db, 1)) as [TestUser];
    await createPastSales(environment.db, [creator], await createUsers(environment.db, 4, 4));
    return {
      send: () =>
        sendRequest(environment.web.origin, "/tipster-dashboard/payout", {
          form: { a: "" },
          cookie: creator.cookie,
        }),
      // A repeated request reports that a payout is already in progress.
      isConfirmed: ({ status }) => status === 200 || status === 409,
      async check() {
        const { rows } = await environment.db.query<{ cents: number }>(
          "select amount_cents::int as cents from payouts where creator_id = $1",
          [creator.id],
        );
        return rows.length === 1 && rows[0]?.cents === 4 * 2800
          ? null
          : `${rows.length} payouts, the first of ${rows[0]?.cents} cents`;
      },
    };
  },

  async payoutStarted(environment) {
    return await createPayoutWrite(environment, {
      path: "start",
      initialStatus: "requested",
      nextStatus: "processing",
    });
  },

  async payoutPaid(environment) {
    return await createPayoutWrite(environment, {
      path: "paid",
      initialStatus: "processing",
      nextStatus: "paid",
    });
  },

  async refund(environment) {
    const { db, provider } = environment;
    const [buyer] = (await createUsers(db, 1)) as [TestUser];
    const sessionId = await startCheckout(environment, buyer);
    provider.pay(sessionId);
    await deliver(environment, provider.event("checkout.session.completed", sessionId));
    provider.change(sessionId, { refundedCents: provider.session(sessionId).amountCents });
    const event = provider.event("charge.refunded", sessionId);
    return {
      send: () => deliver(environment, event),
      isConfirmed: isSuccess,
      async check() {
        const { rows } = await db.query<{ refunds: number; recovered: number; coins: number }>(
          `select (select count(*)::int from ledger_transactions t join ledger_postings l
               on l.transaction_id = t.id
               where t.kind = 'refund' and l.account = 'wallet' and l.owner_id = $1) as refunds,
             (select recovered_coins from coin_purchases where session_id = $2) as recovered,
             (select balance_coins from wallets where user_id = $1) as coins`,
          [buyer.id, sessionId],
        );
        const { refunds, recovered, coins } = rows[0] ?? {};
        return refunds === 1 && recovered === 8 && coins === 0
          ? null
          : `${refunds} refunds removed ${recovered} coins, ${coins} remain`;
      },
    };
  },

  async result(environment) {
    const { db, web } = environment;
    const [creator] = (await createTipsters(db, 1)) as [TestUser];
    const [card] = await createRaceCards(db, [creator], { days: -3, races: 2 });
    const { rows } = await db.query<{ id: string }>(
      "select id from tips where race_card_id = $1 order by race_number limit 1",
      [card],
    );
    const form = { tipId: rows[0]?.id ?? "", result: "won" };
    return {
      send: () =>
        sendRequest(web.origin, "/tipster-dashboard/result", { form, cookie: creator.cookie }),
      // A repeated result reports that it has been entered.
      isConfirmed: ({ status }) => status === 200 || status === 409,
      async check() {
        const counts = await db.query<{ result: string | null; wins: number; settled: number }>(
          `select (select result from tips where id = $2) as result,
             (select won from creator_records where creator_id = $1) as wins,
             (select count(*)::int from tips where race_card_id = $3 and result is not null) as settled`,
          [creator.id, form.tipId, card],
        );
        const { result, wins, settled } = counts.rows[0] ?? {};
        // A tipster's own result is a claim, which does not count in the record.
        return result === "won" && wins === 0 && settled === 1
          ? null
          : `the result is ${result}, ${settled} are settled, the track record counts ${wins} wins`;
      },
    };
  },

  async image(environment) {
    const [creator] = (await createTipsters(environment.db, 1)) as [TestUser];
    const square = { width: 200, height: 200, channels: 3 as const, background: "#246" };
    const png = await sharp({ create: square }).png().toBuffer();
    const json = { imageData: `data:image/png;base64,${png.toString("base64")}` };
    const path = "/.netlify/functions/update-tipster-profile-image";
    return {
      send: () => sendRequest(environment.web.origin, path, { json, cookie: creator.cookie }),
      isConfirmed: isSuccess,
      async check() {
        const { rows } = await environment.db.query<{ image: string | null }>(
          "select profile_image as image from creators where user_id = $1",
          [creator.id],
        );
        const image = rows[0]?.image;
        if (!image) return "the creator has no photo";
        const response = await sendRequest(environment.web.origin, image);
        return response.status === 200 ? null : `the photo returns ${response.status}`;
      },
    };
  },
};

/** Returns a write in which an admin moves a payout to the next status: one posting, one email. */
async function createPayoutWrite(
  { db, web }: Environment,
  {
    path,
    initialStatus,
    nextStatus,
  }: { path: "start" | "paid"; initialStatus: string; nextStatus: string },
): Promise<Write> {
  const [creator] = (await createTipsters(db, 1)) as [TestUser];
  await createPastSales(db, [creator], await createUsers(db, 4, 4));
  await sendRequest(web.origin, "/tipster-dashboard/payout", {
    form: { a: "" },
    cookie: creator.cookie,
  });
  const { rows } = await db.query<{ id: string }>(
    `update payouts set status = $2, processing_at = case when $2 = 'processing' then now() end
     where creator_id = $1 returning id`,
    [creator.id, initialStatus],
  );
  const payoutId = rows[0]?.id ?? "";
  const { cookie } = await signInAsAdmin(db);
  const form: Record<string, string> = { payout: payoutId, back: "/admin" };
  if (path === "paid") {
    await sendRequest(web.origin, "/admin/payouts/payment-file", { form, cookie });
    const { rows: exported } = await db.query<{ id: string }>(
      "select export_id as id from payouts where id = $1",
      [payoutId],
    );
    // The payment file that the list showed.
    form[`export-${payoutId}`] = exported[0]?.id ?? "";
  }
  return {
    send: () => sendRequest(web.origin, `/admin/payouts/${path}`, { form, cookie }),
    isConfirmed: isSuccess,
    async check() {
      const { rows: payouts } = await db.query<Record<string, unknown>>(
        `select status,
           (select count(*)::int from audit_entries where subject = $1 and action = $2) as audited,
           (select count(*)::int from ledger_transactions where kind = 'payout' and reference = $1) as posted,
           (select count(*)::int from emails m where m.kind = 'payout-paid' and m.user_id = p.creator_id) as mailed
         from payouts p where id = $1::uuid`,
        [payoutId, path === "start" ? "start-payout" : "mark-payout-paid"],
      );
      const expectedCount = nextStatus === "paid" ? 1 : 0;
      const { status, audited, posted, mailed } = payouts[0] ?? {};
      return status === nextStatus &&
        audited === 1 &&
        posted === expectedCount &&
        mailed === expectedCount
        ? null
        : `the payout is ${status}, audited ${audited} times, posted ${posted} times, emailed ${mailed} times`;
    },
  };
}

/** Returns the form fields of a batch. */
export function createBatchForm({
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
  return { idempotencyKey: randomUUID(), venueId, raceDate, ...Object.fromEntries(fields) };
}

async function findSalesProblem(
  { db }: Environment,
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
    : `${sales} sales and ${coins} coins remain instead of ${expected.sales} and ${expected.coins}`;
}
