import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { hashPassword, startSession } from "#accounts/accounts.server.ts";
import { suspendCreator } from "#creators/suspension.server.ts";
import { addDays, dateAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { Browser, uniqueAddress } from "#test/browser.ts";
import { makeAdmin, makeTipster, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { buyCoins, stubFetchInProcess } from "#test/gateway.ts";
import { readVisibleText } from "#test/page-text.ts";
import { addNote } from "#tips/notes/add-note.server.ts";

// What forms say when they are refused, with which status, and what they keep. The refusals of the functions that they
// call are tested beside those.

type Fields = Record<string, string>;
type Submission = [browser: Browser, path: string, fields: Fields];

const PASSWORD = "a good long password";
/** What a refused form must show again. */
const TYPED = "typed by the user";
/** What no page may repeat. */
const SECRET = "not the right password";
const WAIT = "Too many attempts. Please wait a few minutes and try again.";

beforeAll(() => stubFetchInProcess());
afterAll(() => vi.unstubAllGlobals());

async function signIn({ id }: { id: string }): Promise<Browser> {
  const browser = new Browser({ address: uniqueAddress() });
  browser.applyCookies(await startSession(id, { codeVerifiedAt: now() }));
  return browser;
}

async function withPassword<T extends { id: string }>(person: T): Promise<T> {
  await pool().query(
    `insert into credentials (account_id, provider_id, user_id, password, created_at, updated_at)
     values ($1::text, 'credential', $1::uuid, $2, $3, $3)`,
    [person.id, await hashPassword(PASSWORD), now()],
  );
  return person;
}

const guest = () => new Browser({ address: uniqueAddress() });
const asUser = async () => await signIn(await withPassword(await makeUser()));
const asTipster = async () => await signIn(await withPassword(await makeTipster()));
const asAdmin = async () => await signIn(await makeAdmin());

async function submit([browser, path, fields]: Submission) {
  const response = await browser.post(path, fields);
  const html = await response.clone().text();
  return { status: response.status, html, text: await readVisibleText(response) };
}

/** Submits a wrong password until the next attempt must wait. */
async function afterFiveAttempts([browser, path, fields]: Submission, field = "password") {
  for (let tries = 0; tries < 5; tries += 1)
    await submit([browser, path, { ...fields, [field]: SECRET }]);
  return [browser, path, fields] satisfies Submission;
}

const passwords = (changes: Fields = {}) => ({
  currentPassword: PASSWORD,
  newPassword: "another good one",
  confirmPassword: "another good one",
  ...changes,
});
const bank = (changes: Fields = {}) => ({
  holder: TYPED,
  bank: "Capitec",
  branchCode: "470010",
  accountNumber: "1234564321",
  accountType: "savings",
  password: PASSWORD,
  ...changes,
});
const application = (changes: Fields = {}) => ({
  email: `${randomUUID()}@example.test`,
  fullName: "Thandi Mokoena",
  displayName: `Punter ${randomUUID().slice(0, 8)}`,
  bio: TYPED,
  ...changes,
});
const registration = (changes: Fields = {}) => ({
  name: TYPED,
  email: `${randomUUID()}@example.test`,
  password: PASSWORD,
  agreed: "on",
  ...changes,
});
const analyst = (changes: Fields = {}) => ({
  name: TYPED,
  email: `${randomUUID()}@example.test`,
  displayName: `Analyst ${randomUUID().slice(0, 8)}`,
  ...changes,
});
const FILE_SETTINGS = {
  format: "generic",
  debitAccount: "68123456",
  debitBranchCode: "051001",
  shortName: "typed",
  userCode: "9534",
  columns: "A = account number\nB = branch code\nC = amount",
  delimiter: "comma",
  dateFormat: "YYYY-MM-DD",
  amountIn: "rand",
  cheque: "1",
  savings: "2",
  transmission: "3",
};
const PROFILE = "/tipster-dashboard/profile";
const BANK = "/tipster-dashboard/bank-details";
const APPLY = "/tipster-auth?mode=apply";

/** Publishes a race card for tomorrow and returns the submission of a note to its buyers. */
async function note(prepare: (creator: Person, raceCardId: string) => Promise<unknown>) {
  const creator = await makeTipster();
  const { raceCardId } = await publishRaceCard({ creatorId: creator.id });
  await prepare(creator, raceCardId);
  const path = `/tipster-dashboard/race-cards/${raceCardId}/note`;
  const fields = { idempotencyKey: randomUUID(), body: TYPED };
  return [await signIn(creator), path, fields] satisfies Submission;
}

it.each<[form: string, status: number, message: string, prepare: () => Promise<Submission>]>([
  [
    "a profile without a name",
    422,
    "Name is required",
    async () => [await asTipster(), PROFILE, { name: "", bio: TYPED }],
  ],
  [
    "a profile with a taken name",
    409,
    "That display name is taken. Please choose another one.",
    async () => {
      const { name } = await makeTipster();
      return [await asTipster(), PROFILE, { name, bio: TYPED }];
    },
  ],
  [
    "a weak new password",
    422,
    "Password is too weak. Please use a stronger password.",
    async () => [
      await asUser(),
      "/profile/password",
      passwords({ newPassword: "password", confirmPassword: "password" }),
    ],
  ],
  [
    "a long new password",
    422,
    "New password must be at most 128 characters",
    async () => [
      await asUser(),
      "/profile/password",
      passwords({ newPassword: "x".repeat(129), confirmPassword: "x".repeat(129) }),
    ],
  ],
  [
    "a new password after five attempts",
    429,
    WAIT,
    async () =>
      await afterFiveAttempts(
        [await asUser(), "/profile/password", passwords()],
        "currentPassword",
      ),
  ],
  [
    "an email address with a wrong password",
    422,
    "Current password is incorrect",
    async () => [
      await asUser(),
      "/profile/email",
      { email: "typed@example.test", password: SECRET },
    ],
  ],
  [
    "an email address after five attempts",
    429,
    WAIT,
    async () =>
      await afterFiveAttempts([
        await asUser(),
        "/profile/email",
        { email: "typed@example.test", password: PASSWORD },
      ]),
  ],
  [
    "the same email address",
    409,
    "This is already your email address.",
    async () => {
      const user = await withPassword(await makeUser());
      return [await signIn(user), "/profile/email", { email: user.email, password: PASSWORD }];
    },
  ],
  [
    "the email address of another account",
    409,
    "Another account uses this email address.",
    async () => [
      await asUser(),
      "/profile/email",
      { email: (await makeUser()).email, password: PASSWORD },
    ],
  ],
  [
    "a deletion without the tick",
    422,
    "Please tick the box to confirm",
    async () => [await asUser(), "/profile/delete", { password: PASSWORD }],
  ],
  [
    "a deletion with a wrong password",
    422,
    "Current password is incorrect",
    async () => [await asUser(), "/profile/delete", { password: SECRET, confirmed: "on" }],
  ],
  [
    "a deletion after five attempts",
    422,
    WAIT,
    async () =>
      await afterFiveAttempts([
        await asUser(),
        "/profile/delete",
        { password: PASSWORD, confirmed: "on" },
      ]),
  ],
  [
    "a deletion of a tipster's account",
    409,
    "You can't delete this account here",
    async () => [await asTipster(), "/profile/delete", { password: PASSWORD, confirmed: "on" }],
  ],
  [
    "bank details without a bank",
    422,
    "Please enter the bank",
    async () => [await asTipster(), BANK, bank({ bank: "" })],
  ],
  [
    "bank details with a wrong password",
    422,
    "Password is incorrect",
    async () => [await asTipster(), BANK, bank({ password: SECRET })],
  ],
  [
    "bank details after five attempts",
    429,
    WAIT,
    async () => await afterFiveAttempts([await asTipster(), BANK, bank()]),
  ],
  [
    "an application with a taken name",
    409,
    "That display name is taken",
    async () => [guest(), APPLY, application({ displayName: (await makeTipster()).name })],
  ],
  [
    "an application beyond the limit",
    429,
    "Too many applications",
    async () => {
      const browser = guest();
      for (let count = 0; count < 20; count += 1) await browser.post(APPLY, application());
      return [browser, APPLY, application()];
    },
  ],
  [
    "an analyst's login with a wrong code",
    401,
    "Access denied",
    async () => [guest(), "/analyst", { email: "typed@example.test", accessCode: SECRET }],
  ],
  [
    "a registration with a weak password",
    422,
    "Password is too weak. Please use a stronger password.",
    async () => [guest(), "/login?mode=register", registration({ password: "password" })],
  ],
  [
    "a note while suspended",
    403,
    "You can't add notes while your account is suspended.",
    async () => await note(async ({ id }) => await suspendCreator((await makeAdmin()).id, id)),
  ],
  [
    "one note too many",
    409,
    "A race card has at most 10 notes.",
    async () =>
      await note(async ({ id }, raceCardId) => {
        for (let count = 0; count < 10; count += 1)
          await addNote(id, raceCardId, { idempotencyKey: randomUUID(), body: "A note" });
      }),
  ],
  [
    "an unknown claim code",
    422,
    "We don't know this code.",
    async () => [await asUser(), "/profile/claim-code", { code: "AAAA" }],
  ],
  [
    "a refund without its id",
    422,
    "Please try again.",
    async () => {
      const buyer = await makeUser();
      const { id } = await buyCoins(buyer.id, "value_8");
      return [await signIn(buyer), `/profile/purchases/${id}/refund`, {}];
    },
  ],
  [
    "an empty photo",
    422,
    "Please choose a photo first.",
    async () => [await asTipster(), "/tipster-dashboard/photo", {}],
  ],
  [
    "a request for a link without an address",
    422,
    "Please enter your email address first",
    async () => [guest(), "/forgot-password", { email: " " }],
  ],
  [
    "an admin's login without an address",
    422,
    "Please enter a valid email address",
    async () => [
      guest(),
      "/admin/sign-in",
      { email: "typed", password: PASSWORD, return: "/admin/venues" },
    ],
  ],
  [
    "an admin as an admin",
    409,
    "They are already an admin",
    async () => [await asAdmin(), "/admin/admins", { email: (await makeAdmin()).email }],
  ],
  [
    "a suspended tipster as an admin",
    409,
    "They are a suspended tipster or analyst. Lift the suspension first.",
    async () => {
      const { id, email } = await makeTipster();
      await suspendCreator((await makeAdmin()).id, id);
      return [await asAdmin(), "/admin/admins", { email }];
    },
  ],
  [
    "the removal of an admin without a reason",
    422,
    "Please enter a reason",
    async () => [
      await asAdmin(),
      `/admin/admins/${(await makeAdmin()).id}/remove`,
      { reason: " " },
    ],
  ],
  [
    "an analyst with a taken name",
    409,
    "That display name is taken",
    async () => [
      await asAdmin(),
      "/admin/tipsters/invite",
      analyst({ displayName: (await makeTipster()).name }),
    ],
  ],
  [
    "a tipster as an analyst",
    409,
    "There is already a tipster with this email address",
    async () => [
      await asAdmin(),
      "/admin/tipsters/invite",
      analyst({ email: (await makeTipster()).email }),
    ],
  ],
  [
    "an unconfirmed account as an analyst",
    409,
    "Ask its owner to confirm it first",
    async () => [
      await asAdmin(),
      "/admin/tipsters/invite",
      analyst({ email: (await makeUser({ verified: false })).email }),
    ],
  ],
  [
    "payment file settings with an unknown column",
    422,
    'Write "Heading = field" on each line',
    async () => [await asAdmin(), "/admin/payouts/file-settings", { columns: TYPED }],
  ],
])("refuses %s", async (_, status, message, prepare) => {
  const [browser, path, fields] = await prepare();
  const refused = await submit([browser, path, fields]);
  expect(refused.status).toBe(status);
  expect(refused.text).toContain(message);
  for (const [name, value] of Object.entries(fields)) {
    if (/typed/.test(value)) expect([name, refused.html.includes(value)]).toEqual([name, true]);
    if (/password|^(?:accessC|c)ode$/i.test(name))
      expect([name, refused.html.includes(`value="${value}"`)]).toEqual([name, false]);
  }
});

describe("an unexpected error", () => {
  /** Runs `work` while the database refuses to insert rows into a table. */
  async function whileFailing<T>(table: string, work: () => Promise<T>): Promise<T> {
    await pool().query(`alter table ${table} add constraint full_up check (false) not valid`);
    try {
      return await work();
    } finally {
      await pool().query(`alter table ${table} drop constraint full_up`);
    }
  }

  it.each<[form: string, message: string, table: string, prepare: () => Promise<Submission>]>([
    [
      "a login",
      "Login failed: If it happens again, contact us and quote reference ",
      "sessions",
      async () => {
        const { email } = await withPassword(await makeUser());
        return [guest(), "/login", { email, password: PASSWORD }];
      },
    ],
    [
      "a registration",
      "Registration failed: If it happens again, contact us and quote reference ",
      "users",
      async () => [guest(), "/login?mode=register", registration()],
    ],
  ])("of %s is answered in the form with a reference", async (_, message, table, prepare) => {
    const submission = await prepare();
    const { status, text, html } = await whileFailing(table, async () => await submit(submission));
    expect(status).toBe(500);
    expect(text).toContain(message);
    expect(text).not.toContain("full_up");
    expect(html).toContain(submission[2].email);
  });

  it.each<[form: string, message: string, table: string, prepare: () => Promise<Submission>]>([
    [
      "an analyst's invitation",
      "The invitation could not be sent",
      "audit_entries",
      async () => [await asAdmin(), "/admin/tipsters/invite", analyst()],
    ],
    [
      "an admin's invitation",
      "The invitation could not be sent",
      "audit_entries",
      async () => [
        await asAdmin(),
        "/admin/admins",
        { email: `typed-${randomUUID()}@example.test` },
      ],
    ],
    [
      "a price",
      "Failed to change the price",
      "audit_entries",
      async () => [
        await asAdmin(),
        "/admin/purchases/coin-packs",
        { subject: "creator-share", amount: "71", from: addDays(dateAt(now()), 9) },
      ],
    ],
    [
      "a refund",
      "Failed to refund",
      "audit_entries",
      async () => {
        const { id } = await buyCoins((await makeUser()).id, "value_8");
        const fields = {
          ...{ id: randomUUID(), amount: "70.00", bearer: "buyer", remaining: "7000" },
          reason: TYPED,
        };
        return [await asAdmin(), `/admin/purchases/${id}/refund?amount=70.00&bearer=buyer`, fields];
      },
    ],
    [
      "a claim code",
      "Failed to record the payment",
      "rate_limits",
      async () => [
        await asAdmin(),
        "/admin/purchases/claim-codes",
        { claimCode: "AAAA", amount: "40", bankReference: TYPED },
      ],
    ],
    [
      "payment file settings",
      "Failed to save the settings",
      "audit_entries",
      async () => [await asAdmin(), "/admin/payouts/file-settings", FILE_SETTINGS],
    ],
  ])(
    "of %s is answered in the form with the database's message",
    async (_, message, table, prepare) => {
      const submission = await prepare();
      const { status, text, html } = await whileFailing(
        table,
        async () => await submit(submission),
      );
      expect(status).toBe(500);
      expect(text).toMatch(new RegExp(`${message}: .*full_up`));
      for (const value of Object.values(submission[2]))
        if (/typed/.test(value)) expect(html).toContain(value);
    },
  );

  it("of another form is answered with the error page", async () => {
    const submission: Submission = [await asTipster(), BANK, bank()];
    const { status, html } = await whileFailing(
      "bank_details",
      async () => await submit(submission),
    );
    expect(status).toBe(500);
    expect(html).not.toContain("full_up");
  });
});
