import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { jobs } from "#jobs.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { Browser, uniqueAddress } from "#test/browser.ts";
import { type Endpoint, toDataUrl } from "#test/endpoints.ts";
import { makeTipster, makeUser, type Person } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import {
  createRecordOwners,
  findRowsContaining,
  PASSWORD,
  type RecordOwners,
} from "#test/record-owners.ts";
import { listRunningEndpoints } from "#test/running-endpoints.ts";

// Guests and signed-in users submit every form with other users' ids and with fields that only the server may set.
// `every-page.test.ts` reads every page with those ids.

let owners: RecordOwners;
let endpoints: Endpoint[];
let otherUsers: Record<string, Person | null>;

beforeAll(async () => {
  stubFetchInProcess();
  owners = await createRecordOwners();
  // The races are over, so that permitted roles could settle, void and pay everything.
  freezeClock(instantAt(owners.raceDate as never, "18:30"));
  endpoints = await listRunningEndpoints(owners.ids);
  otherUsers = {
    "a guest": null,
    "a user": await makeUser({ name: "Stranger" }),
    "another tipster": await makeTipster(),
    "an analyst": await makeTipster({ kind: "analyst" }),
  };
});
afterAll(() => {
  freezeClock(null);
  vi.unstubAllGlobals();
});

/** Returns valid values wherever possible, so that requests are refused only because of ownership. */
function createFormFields(): Record<string, string> {
  const { ids } = owners;
  return {
    ...ids,
    user: ids.userId ?? "",
    owner: ids.creatorId ?? "",
    created_by: ids.creatorId ?? "",
    createdBy: ids.creatorId ?? "",
    tipsterId: ids.creatorId ?? "",
    payout: ids.payoutId ?? "",
    tip: ids.tipId ?? "",
    role: "admin",
    roles: "admin",
    isAdmin: "true",
    is_approved: "true",
    isApproved: "true",
    status: "approved",
    emailVerified: "true",
    email_verified: "true",
    closedAt: "",
    coins: "4000",
    amountCoins: "400",
    balance: "4000",
    price: "1",
    priceCents: "1",
    amountCents: "1",
    cost: "0",
    currency: "usd",
    confirmed: "yes",
    active: "no",
    suspended: "yes",
    result: "won",
    reason: "because",
    idempotencyKey: randomUUID(),
    acknowledgedRacesRun: "2",
    displayName: `Intruder ${randomUUID().slice(0, 8)}`,
    fullName: "Intruder",
    name: "Intruder",
    email: `intruder-${randomUUID().slice(0, 8)}@example.test`,
    password: PASSWORD,
    currentPassword: PASSWORD,
    newPassword: "the intruder's own",
    confirmPassword: "the intruder's own",
    accessCode: PASSWORD,
    code: "123456",
    agreed: "on",
    terms: "on",
    coinPackId: "starter_4",
    packageId: "starter_4",
    returnTo: "/",
    holder: "Intruder",
    bank: "Capitec Bank",
    branchCode: "470010",
    accountNumber: "9999999999",
    accountType: "savings",
    location: "Nowhere",
    totalRaces: "1",
    source: "nobody",
    token: randomUUID(),
  };
}

/** Sends one request in its own browser, because it may end the session. */
async function withBrowser(person: Person | null, send: (browser: Browser) => Promise<Response>) {
  const browser = new Browser({ address: uniqueAddress() });
  if (person) browser.applyCookies(await startSession(person.id));
  return await send(browser);
}

/**
 * Submits every form and body once as a user. Forms and scripts call the same action of a page, so every second page
 * is submitted as scripts do, and the others by the next role.
 */
async function sendAllForms(person: Person | null, role: string, turn: number): Promise<void> {
  const writes = endpoints.filter(({ method }) => method === "POST");
  for (const [index, { path, kind }] of writes.entries()) {
    const fields = createFormFields();
    const url = (index + turn) % 2 === 0 ? toDataUrl(path) : path;
    const responses =
      kind === "page"
        ? [await withBrowser(person, (browser) => browser.post(url, fields))]
        : [
            await withBrowser(person, (browser) => browser.postJson(path, fields)),
            await withBrowser(person, (browser) => browser.post(path, fields)),
          ];
    for (const response of responses)
      expect(response.status, `${path} for ${role}`).toBeLessThan(500);
  }
}

describe("with another user's ids and server-side fields", () => {
  it("changes none of that user's records, from any role", async () => {
    expect(endpoints.filter(({ method }) => method === "POST").length).toBeGreaterThan(50);
    const ownerIds = [
      owners.tipster.id,
      owners.buyer.id,
      ...["raceCardId", "openedCardId", "tipId", "purchaseId", "applicationId", "alertId"].map(
        (name) => owners.ids[name] ?? "",
      ),
    ];
    const before = await findRowsContaining(ownerIds);
    for (const name of ["users", "tips", "creators", "coin_purchases", "sales", "bank_details"])
      expect(before[name]?.length, name).toBeGreaterThan(0);
    for (const [turn, [role, person]] of Object.entries(otherUsers).entries())
      await sendAllForms(person, role, turn);
    await drainQueue(jobs());
    expect(await findRowsContaining(ownerIds)).toEqual(before);
  }, 240_000);

  it("grants no role, coins or discount", async () => {
    const { rows } = await pool().query(
      `select (select count(*)::int from user_roles where role = 'admin') as admins,
         (select count(*)::int from user_roles) as roles,
         (select count(*)::int from wallets where balance_coins > 0) as "fundedWallets",
         (select count(*)::int from tipster_applications where status <> 'applied') as decided,
         (select count(*)::int from users where email like 'intruder-%' and email_verified) as confirmed,
         (select count(*)::int from venues where name = 'Intruder') as venues,
         (select count(*)::int from payouts where status <> 'requested') as payouts`,
    );
    // The roles of two tipsters and the analyst, and the buyer's coins.
    expect(rows[0]).toEqual({
      admins: 0,
      roles: 3,
      fundedWallets: 1,
      decided: 0,
      confirmed: 0,
      venues: 0,
      payouts: 0,
    });
    const { rows: orders } = await pool().query(
      "select distinct coin_pack_id, coins, amount_cents, currency from orders where status <> 'fulfilled'",
    );
    for (const order of orders)
      expect(order).toMatchObject({
        coin_pack_id: "starter_4",
        coins: 4,
        amount_cents: 4000,
        currency: "zar",
      });
  });
});
