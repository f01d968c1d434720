import { randomUUID } from "node:crypto";
import { type Caller, goodForm, isBrokenOff, type World } from "#test/bad-input.ts";
import { comesTrue } from "#test/concurrency.ts";
import { readAddresses } from "#test/source-endpoints.ts";
import { ask } from "./http-client.ts";
import { deliver, startCheckout } from "./purchases.ts";
import type { Arena } from "./scenario.ts";
import {
  beginSession,
  makePeople,
  makeRaceCards,
  makeTipsters,
  type Person,
  sellLongAgo,
} from "./users.ts";

/** The one who can do most has it. */
const PASSWORD = "a password of the torture";
/** No server takes a head longer than this; it may break off before it has said so. */
const LONGEST_HEAD = 14_000;
/** What was tried before is not to stand in the way for ever. */
const FORGET_EVERY = 50;

/** Who can be asked as: nobody, and somebody of every kind who has something of everything. */
const KINDS: Record<string, (arena: Arena) => Promise<Person | null>> = {
  guest: async () => null,
  punter: async ({ db }) => (await makePeople(db, 1, 400))[0] ?? null,
  tipster: async ({ db }) => (await makeTipsters(db, 1))[0] ?? null,
  async analyst({ db }) {
    const [analyst] = await makeTipsters(db, 1);
    if (!analyst) return null;
    await db.query("update creators set kind = 'analyst' where user_id = $1", [analyst.id]);
    await db.query("update user_roles set role = 'analyst' where user_id = $1", [analyst.id]);
    return analyst;
  },
  async admin({ db }) {
    const [admin] = await makePeople(db, 1);
    if (!admin) return null;
    await db.query(
      "insert into user_roles (user_id, role, granted_at) values ($1, 'admin', now())",
      [admin.id],
    );
    return admin;
  },
};

/** The served product as one who sends bad input sees it, with somebody's things of every sort in it. */
export async function badInputWorld(arena: Arena): Promise<World> {
  const ids = await possessions(arena);
  const kinds = Object.values(KINDS);
  const people = await Promise.all(kinds.map((make) => make(arena)));
  let opened = 0;
  return {
    addresses: await readAddresses(ids),
    people: kinds.length,
    good: () => goodForm(ids, PASSWORD),
    async open(who) {
      opened += 1;
      const from = `10.${(opened >> 16) & 255}.${(opened >> 8) & 255}.${opened & 255}`;
      if (opened % FORGET_EVERY === 0) await arena.db.query("delete from rate_limits");
      const person = people[who];
      if (!person) return new Outside(arena.web.origin, from);
      const cookie = await beginSession(arena.db, person.id);
      if (cookie) return new Outside(arena.web.origin, from, cookie);
      // They have closed their account, as they may: another of their kind takes their place.
      const other = (await kinds[who]?.(arena)) ?? null;
      people[who] = other;
      return new Outside(arena.web.origin, from, other?.cookie);
    },
  };
}

/** One who asks over the network, from an address of their own. */
class Outside implements Caller {
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
      const head = [url, ...[...headers].flat()].join("").length;
      if (head > LONGEST_HEAD) throw new URIError("no server takes such a head");
      // A connection that was kept may be given up as it is used: a client takes another.
      if (!isBrokenOff(error)) throw error;
      return await send();
    }
  }
}

/** What stands for the parameters of addresses and goes into forms: all of it somebody else's. */
async function possessions(arena: Arena): Promise<Record<string, string>> {
  const { db, provider, web } = arena;
  const [buyer, ...others] = await makePeople(db, 5, 40);
  const [tipster] = await makeTipsters(db, 1);
  if (!buyer || !tipster) throw new Error("nobody is there");
  const [openedCardId = ""] = await makeRaceCards(db, [tipster], { days: 2, races: 3 });
  const [raceCardId = ""] = await makeRaceCards(db, [tipster], { days: 3, races: 3 });
  const signedIn = { cookie: buyer.cookie, json: {} };
  await ask(web.origin, `/api/race-cards/${openedCardId}/unlock`, signedIn);
  const sessionId = await startCheckout(arena, buyer);
  provider.pay(sessionId);
  await deliver(arena, provider.event("checkout.session.completed", sessionId));
  await sellLongAgo(db, [tipster], others);
  const { cookie } = tipster;
  await ask(web.origin, "/tipster-dashboard/payout", { form: { a: "" }, cookie });
  await ask(web.origin, "/.netlify/functions/send-tipster-application", {
    json: {
      email: `${randomUUID()}@torture.test`,
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
  await comesTrue(async () => (await one("select id from mails limit 1")) !== "", 20_000);
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
    name: "send-mail",
    id: openedCardId,
  };
  const missing = Object.keys(ids).filter((name) => !ids[name]);
  if (missing.length > 0) throw new Error(`there is no ${missing.join(", ")}`);
  return ids;
}
