import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { hashPassword } from "#accounts/accounts.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import * as logger from "#platform/log-failure.server.ts";
import { createSender } from "#test/app.ts";
import { makeTipster, makeUser } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { readBankDetails } from "../read-bank-details.server.ts";
import { saveBankDetails, writeBankDetails } from "../save-bank-details.server.ts";

const PASSWORD = "a good long password";
const ID_NUMBER = "8001015009087";
const DOCUMENT = { documentType: "identityNumber", documentNumber: ID_NUMBER } as const;
const configured = env().payoutProvider;

beforeAll(() => Object.assign(env(), { payoutProvider: "paystack" }));
beforeEach(() => {
  stubFetchInProcess();
  freezeClock(instantAt("2026-10-20", "08:00"));
});
afterEach(() => freezeClock(null));
afterAll(() => {
  Object.assign(env(), { payoutProvider: configured });
  vi.unstubAllGlobals();
});

const bankDetails = (digits: string) => ({
  holder: "S. Dube",
  bank: "Capitec",
  branchCode: "470010",
  accountNumber: `123456${digits}`,
  accountType: "savings" as const,
});

async function makeCreator() {
  const creator = await makeTipster();
  await pool().query(
    `insert into credentials (account_id, provider_id, user_id, password, created_at, updated_at)
     values ($1::text, 'credential', $1::uuid, $2, $3, $3)`,
    [creator.id, await hashPassword(PASSWORD), now()],
  );
  return creator;
}

const save = (creatorId: string, digits = "4321", password = PASSWORD) =>
  saveBankDetails(creatorId, { ...bankDetails(digits), password }, DOCUMENT);

/** Returns the bodies of the requests that check an account. */
function recordChecks(): Record<string, unknown>[] {
  const checks: Record<string, unknown>[] = [];
  const original = fetch;
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    if (url.endsWith("/bank/validate")) checks.push(JSON.parse(String(init?.body)));
    return await original(url, init);
  });
  return checks;
}

it("stores an account that the bank confirms, with the date", async () => {
  const checks = recordChecks();
  const { id } = await makeCreator();
  expect(await save(id)).toEqual({ ok: true, isNew: true, isChecked: true });
  expect(await readBankDetails(id)).toMatchObject({ accountLast4: "4321", checkedAt: now() });
  expect(checks).toEqual([
    {
      account_name: "S. Dube",
      account_number: "1234564321",
      account_type: "personal",
      bank_code: "470010",
      country_code: "ZA",
      document_type: "identityNumber",
      document_number: ID_NUMBER,
    },
  ]);
});

it("keeps the number of the document nowhere", async () => {
  const warn = vi.spyOn(logger, "logFailure");
  const { id } = await makeCreator();
  for (const digits of ["4321", "0006", "0007", "0008"]) await save(id, digits);
  const { rows: tables } = await pool().query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    const { rows } = await pool().query(
      `select count(*)::int as found from ${name} t where t::text like '%${ID_NUMBER}%'`,
    );
    expect([name, rows[0].found]).toEqual([name, 0]);
  }
  expect(JSON.stringify(warn.mock.calls)).not.toContain(ID_NUMBER);
  warn.mockRestore();
});

it.each([
  ["0006", "other-holder"],
  ["0007", "refuses-payments"],
])("refuses an account that ends in %s: %s", async (digits, refusal) => {
  const { id } = await makeCreator();
  await save(id);
  expect(await save(id, digits)).toEqual({ ok: false, refusal });
  expect(await readBankDetails(id)).toMatchObject({ accountLast4: "4321" });
});

it.each([
  ["other-holder", { accountHolderMatch: false }],
  ["refuses-payments", { accountAcceptsCredits: false }],
  ["refuses-payments", { accountOpen: false }],
])("refuses as %s when the bank says %j", async (refusal, said) => {
  const { id } = await makeCreator();
  const yes = { verified: true, accountHolderMatch: true, accountAcceptsCredits: true };
  vi.stubGlobal("fetch", async () => Response.json({ status: true, data: { ...yes, ...said } }));
  expect(await save(id)).toEqual({ ok: false, refusal });
  expect(await readBankDetails(id)).toBeNull();
});

it.each([
  ["no answer", () => Promise.reject(new TypeError("fetch failed"))],
  ["a refused request", async () => Response.json({ status: false }, { status: 400 })],
  [
    "an answer without the holder",
    async () => Response.json({ status: true, data: { verified: true } }),
  ],
  [
    "an answer that names no holder and is not verified",
    async () =>
      Response.json({
        status: true,
        data: { verified: false, accountHolderMatch: true, accountAcceptsCredits: true },
      }),
  ],
  ["an answer that cannot be read", async () => Response.json({ status: true, data: {} })],
])("stores the account as not confirmed after %s, and confirms it later", async (_, fetchStub) => {
  const { id } = await makeCreator();
  vi.stubGlobal("fetch", fetchStub);
  expect(await save(id)).toEqual({ ok: true, isNew: true, isChecked: false });
  expect(await readBankDetails(id)).toMatchObject({ checkedAt: null });
  const changedAt = now();
  freezeClock(new Date(now().getTime() + 80 * 60 * 60 * 1000));
  stubFetchInProcess();
  expect(await save(id)).toEqual({ ok: true, isNew: false, isChecked: true });
  expect(await readBankDetails(id)).toEqual({
    accountLast4: "4321",
    changedAt,
    checkedAt: now(),
    blockedUntil: null,
  });
});

it("loses the confirmation when the account changes without one", async () => {
  const { id } = await makeCreator();
  await save(id);
  await writeBankDetails(id, bankDetails("5678"));
  expect(await readBankDetails(id)).toMatchObject({ accountLast4: "5678", checkedAt: null });
});

it("asks nobody after a wrong password or for a user who is no tipster", async () => {
  const checks = recordChecks();
  const { id } = await makeCreator();
  expect(await save(id, "4321", "wrong")).toEqual({ ok: false, refusal: "wrong-password" });
  expect(checks).toEqual([]);
  const user = await makeUser();
  expect(await save(user.id)).toMatchObject({ ok: false });
});

it("asks for the document in the form, says why an account is refused, and never repeats the number", async () => {
  const request = await createSender(await makeCreator());
  const submit = async (fields: Record<string, string>) => {
    const response = await request("/tipster-dashboard/bank-details", {
      method: "POST",
      body: new URLSearchParams({ ...bankDetails("0006"), password: PASSWORD, ...fields }),
    });
    const html = await response.text();
    expect(html).not.toContain(ID_NUMBER);
    return [response.status, html] as const;
  };
  const [missing, form] = await submit({ documentType: "", documentNumber: "" });
  expect(missing).toBe(422);
  expect(form).toContain("Please choose a document");
  const [absent, emptyForm] = await submit({});
  expect(absent).toBe(422);
  expect(emptyForm.includes("Please choose a document and enter its number")).toBe(true);
  expect(emptyForm.includes("Invalid key")).toBe(false);
  const [refused, page] = await submit({ ...DOCUMENT });
  expect(refused).toBe(422);
  expect(page).toContain("does not belong to this holder and document");
  const [unanswered, warning] = await submit({ ...DOCUMENT, accountNumber: "1234560008" });
  expect(unanswered).toBe(200);
  expect(warning).toContain("Account not confirmed");
  const [confirmed, result] = await submit({ ...DOCUMENT, accountNumber: "1234564321" });
  expect(confirmed).toBe(200);
  expect(result).toContain("The bank has confirmed this account");
});

it("asks ten times a day at most, also when asked concurrently", async () => {
  const checks = recordChecks();
  const { id } = await makeCreator();
  const results = [];
  for (let batch = 0; batch < 3; batch += 1)
    results.push(...(await Promise.all([save(id), save(id), save(id), save(id)])));
  expect(results.filter(({ ok }) => ok)).toHaveLength(10);
  expect(results.filter((result) => !result.ok)).toEqual(
    Array(2).fill({ ok: false, refusal: "too-many-checks" }),
  );
  expect(checks).toHaveLength(10);
  expect(await readBankDetails(id)).toMatchObject({ checkedAt: now() });
});
