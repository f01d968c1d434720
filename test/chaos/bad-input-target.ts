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
/** Rate limits are cleared after this many callers. */
const CALLERS_PER_LIMIT_RESET = 50;

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

/** Creates the data and callers for sending bad input to the running application. */
export async function createBadInputTarget(environment: Environment): Promise<BadInputTarget> {
  const ids = await createOwnedRecords(environment);
  const roles = Object.values(ROLES);
  const users = await Promise.all(roles.map((createUser) => createUser(environment)));
  let callerCount = 0;
  return {
    endpoints: await readSourceEndpoints(ids),
    roleCount: roles.length,
    createValidForm: () => validForm(ids, PASSWORD),
    async createCaller(roleIndex) {
      callerCount += 1;
      const clientAddress = `10.${(callerCount >> 16) & 255}.${(callerCount >> 8) & 255}.${callerCount & 255}`;
      if (callerCount % CALLERS_PER_LIMIT_RESET === 0)
        await environment.db.query("delete from rate_limits");
      const user = users[roleIndex];
      if (!user) return new NetworkCaller(environment.web.origin, clientAddress);
      const cookie = await createSession(environment.db, user.id);
      if (cookie) return new NetworkCaller(environment.web.origin, clientAddress, cookie);
      // The user has closed the account: create another with the same role.
      const replacement = (await roles[roleIndex]?.(environment)) ?? null;
      users[roleIndex] = replacement;
      return new NetworkCaller(environment.web.origin, clientAddress, replacement?.cookie);
    },
  };
}

/** Sends requests over the network, each caller from its own client address. */
class NetworkCaller implements Caller {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;
  readonly #clientAddress: string;

  constructor(origin: string, clientAddress: string, cookie?: string) {
    this.#origin = origin;
    this.#clientAddress = clientAddress;
    if (cookie) {
      const separator = cookie.indexOf("=");
      this.cookies.set(cookie.slice(0, separator), cookie.slice(separator + 1));
    }
  }

  async send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookies && !headers.has("Cookie")) headers.set("Cookie", cookies);
    if (!headers.has("X-Forwarded-For")) headers.set("X-Forwarded-For", this.#clientAddress);
    const url = this.#origin + path;
    const send = () => fetch(url, { ...init, headers, redirect: "manual" });
    try {
      return await send();
    } catch (error) {
      const headersLength = [url, ...[...headers].flat()].join("").length;
      if (headersLength > MAX_HEADERS_LENGTH)
        throw new URIError("request headers too long for any server");
      // A keep-alive connection can be closed when it is reused. Retries once on a new one.
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
  const request = { cookie: buyer.cookie, json: {} };
  await sendRequest(web.origin, `/api/race-cards/${openedCardId}/unlock`, request);
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
    "insert into alerts (kind, subject, message, created_at) values ('payment-mismatch', $1, 'The amounts differ', now())",
    [sessionId],
  );
  const queryValue = async (text: string, ...values: string[]) => {
    const { rows } = await db.query<Record<string, unknown>>(text, values);
    return rows[0] ? String(Object.values(rows[0])[0]) : "";
  };
  await waitUntil(async () => (await queryValue("select id from emails limit 1")) !== "", 20_000);
  const ids: Record<string, string> = {
    raceCardId,
    openedCardId,
    venueId: await queryValue("select venue_id from race_cards where id = $1", raceCardId),
    raceDate: await queryValue("select race_date::text from race_cards where id = $1", raceCardId),
    slug: await queryValue("select slug from creators where user_id = $1", tipster.id),
    creatorId: tipster.id,
    userId: buyer.id,
    tipId: await queryValue("select id from tips where race_card_id = $1", openedCardId),
    purchaseId: await queryValue("select id from coin_purchases where session_id = $1", sessionId),
    sessionId,
    applicationId: await queryValue("select id from tipster_applications limit 1"),
    emailId: await queryValue("select id from emails limit 1"),
    alertId: await queryValue("select id from alerts where subject = $1", sessionId),
    saleId: await queryValue("select id from sales where buyer_id = $1", buyer.id),
    payoutId: await queryValue("select id from payouts where creator_id = $1", tipster.id),
    name: "send-email",
    id: openedCardId,
  };
  const missing = Object.keys(ids).filter((name) => !ids[name]);
  if (missing.length > 0) throw new Error(`there is no ${missing.join(", ")}`);
  return ids;
}
