import { randomUUID } from "node:crypto";
import { type BadInputTarget, type Caller, isConnectionLost, validForm } from "#test/bad-input.ts";
import { waitUntil } from "#test/concurrency.ts";
import { readSourceEndpoints } from "#test/source-endpoints.ts";
import { sendRequest } from "./http-client.ts";
import { deliver, startCheckout } from "./purchases.ts";
import type { Environment } from "./scenario.ts";
import {
  createPastSales,
  createRaceCards,
  createSession,
  createTipsters,
  createUsers,
  type TestUser,
} from "./users.ts";

const PASSWORD = "a password for chaos tests";
/** In characters. A server may close the connection of a request with longer headers. */
const MAX_HEADERS_LENGTH = 14_000;
/** The number of callers after which rate limits are cleared. */
const CLEAR_LIMITS_EVERY = 50;

/** The roles that send requests: a guest, and one user of each role. */
const ROLES: Record<string, (environment: Environment) => Promise<TestUser | null>> = {
  guest: async () => null,
  punter: async ({ db }) => (await createUsers(db, 1, 400))[0] ?? null,
  tipster: async ({ db }) => (await createTipsters(db, 1))[0] ?? null,
  async analyst({ db }) {
    const [analyst] = await createTipsters(db, 1);
    if (!analyst) return null;
    await db.query("update creators set kind = 'analyst' where user_id = $1", [analyst.id]);
    await db.query("update user_roles set role = 'analyst' where user_id = $1", [analyst.id]);
    return analyst;
  },
  async admin({ db }) {
    const [admin] = await createUsers(db, 1);
    if (!admin) return null;
    await db.query(
      "insert into user_roles (user_id, role, granted_at) values ($1, 'admin', now())",
      [admin.id],
    );
    return admin;
  },
};

/** Creates the data and callers for sending bad input to the served product. */
export async function createBadInputTarget(environment: Environment): Promise<BadInputTarget> {
  const ids = await createOwnedRecords(environment);
  const roles = Object.values(ROLES);
  const people = await Promise.all(roles.map((make) => make(environment)));
  let opened = 0;
  return {
    endpoints: await readSourceEndpoints(ids),
    people: roles.length,
    good: () => validForm(ids, PASSWORD),
    async open(who) {
      opened += 1;
      const from = `10.${(opened >> 16) & 255}.${(opened >> 8) & 255}.${opened & 255}`;
      if (opened % CLEAR_LIMITS_EVERY === 0) await environment.db.query("delete from rate_limits");
      const person = people[who];
      if (!person) return new NetworkCaller(environment.web.origin, from);
      const cookie = await createSession(environment.db, person.id);
      if (cookie) return new NetworkCaller(environment.web.origin, from, cookie);
      // The user has closed the account: create another with the same role.
      const other = (await roles[who]?.(environment)) ?? null;
      people[who] = other;
      return new NetworkCaller(environment.web.origin, from, other?.cookie);
    },
  };
}

/** Sends requests over the network, each caller from its own client address. */
class NetworkCaller implements Caller {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;
  readonly #from: string;

  constructor(origin: string, from: string, cookie?: string) {
    this.#origin = origin;
    this.#from = from;
    if (cookie) {
      const equals = cookie.indexOf("=");
      this.cookies.set(cookie.slice(0, equals), cookie.slice(equals + 1));
    }
  }

  async send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookies && !headers.has("Cookie")) headers.set("Cookie", cookies);
    if (!headers.has("X-Forwarded-For")) headers.set("X-Forwarded-For", this.#from);
    const url = this.#origin + path;
    const send = () => fetch(url, { ...init, headers, redirect: "manual" });
    try {
      return await send();
    } catch (error) {
      const headersLength = [url, ...[...headers].flat()].join("").length;
      if (headersLength > MAX_HEADERS_LENGTH)
        throw new URIError("request headers too long for any server");
      // A kept-alive connection may close as it is reused: retry once on a new one.
      if (!isConnectionLost(error)) throw error;
      return await send();
    }
  }
}

/**
 * Creates one record of each kind, owned by other users, and returns their ids for URLs and forms.
 */
async function createOwnedRecords(environment: Environment): Promise<Record<string, string>> {
  const { db, provider, web } = environment;
  const [buyer, ...others] = await createUsers(db, 5, 40);
  const [tipster] = await createTipsters(db, 1);
  if (!buyer || !tipster) throw new Error("no users were created");
  const [openedCardId = ""] = await createRaceCards(db, [tipster], { days: 2, races: 3 });
  const [raceCardId = ""] = await createRaceCards(db, [tipster], { days: 3, races: 3 });
  const signedIn = { cookie: buyer.cookie, json: {} };
  await sendRequest(web.origin, `/api/race-cards/${openedCardId}/unlock`, signedIn);
  const sessionId = await startCheckout(environment, buyer);
  provider.pay(sessionId);
  await deliver(environment, provider.event("checkout.session.completed", sessionId));
  await createPastSales(db, [tipster], others);
  const { cookie } = tipster;
  await sendRequest(web.origin, "/tipster-dashboard/payout", { form: { a: "" }, cookie });
  await sendRequest(web.origin, "/.netlify/functions/send-tipster-application", {
    json: {
      email: `${randomUUID()}@chaos.test`,
      fullName: "Ouma Grietjie",
      displayName: "Grietjie",
      experience: 3,
    },
  });
  await db.query(
    "insert into alerts (kind, subject, message, created_at) values ('payment-mismatch', $1, 'it differs', now())",
    [sessionId],
  );
  const one = async (text: string, ...values: string[]) => {
    const { rows } = await db.query<Record<string, unknown>>(text, values);
    return rows[0] ? String(Object.values(rows[0])[0]) : "";
  };
  await waitUntil(async () => (await one("select id from mails limit 1")) !== "", 20_000);
  const ids: Record<string, string> = {
    raceCardId,
    openedCardId,
    venueId: await one("select venue_id from race_cards where id = $1", raceCardId),
    raceDate: await one("select race_date::text from race_cards where id = $1", raceCardId),
    slug: await one("select slug from creators where user_id = $1", tipster.id),
    creatorId: tipster.id,
    userId: buyer.id,
    tipId: await one("select id from tips where race_card_id = $1", openedCardId),
    purchaseId: await one("select id from coin_purchases where stripe_session_id = $1", sessionId),
    sessionId,
    applicationId: await one("select id from tipster_applications limit 1"),
    mailId: await one("select id from mails limit 1"),
    alertId: await one("select id from alerts where subject = $1", sessionId),
    saleId: await one("select id from sales where buyer_id = $1", buyer.id),
    payoutId: await one("select id from payouts where creator_id = $1", tipster.id),
    name: "send-email",
    id: openedCardId,
  };
  const missing = Object.keys(ids).filter((name) => !ids[name]);
  if (missing.length > 0) throw new Error(`there is no ${missing.join(", ")}`);
  return ids;
}
