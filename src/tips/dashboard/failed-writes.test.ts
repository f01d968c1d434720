import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "#accounts/accounts.server.ts";
import { addDays, dateAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { createSender } from "#test/app.ts";
import { findTestVenue, makeTipster } from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";

// In these tests the database accepts reads but refuses writes.

const cleanupStatements: string[] = [];
let venueId: string;

beforeAll(async () => {
  venueId = (await findTestVenue()).id;
});
afterEach(async () => {
  for (const statement of cleanupStatements.splice(0).reverse()) await pool().query(statement);
});

async function runWithCleanup(statement: string, cleanup: string): Promise<void> {
  await pool().query(statement);
  cleanupStatements.push(cleanup);
}

const createFailingFunction = (code: string) => `
  create function fail_write() returns trigger language plpgsql as $$
  begin raise exception 'secret inside' using errcode = '${code}'; end $$`;

async function failWritesTo(table: string, code = "XX000"): Promise<void> {
  await runWithCleanup(createFailingFunction(code), "drop function fail_write()");
  await runWithCleanup(
    `create trigger fails before insert or update on ${table} for each row execute function fail_write()`,
    `drop trigger fails on ${table}`,
  );
}

const raceDate = () => addDays(dateAt(now()), 2);
const batch = () => ({
  idempotencyKey: randomUUID(),
  venueId,
  raceDate: raceDate(),
  "races.0.raceNumber": "1",
  "races.0.horseNumber": "4",
  "races.0.horseName": "Still Standing Here",
  "races.0.tipType": "win",
  "races.0.confidence": "high",
  "races.0.analysis": "Half a page of reasons.",
});

async function post(user: { id: string }, path: string, fields: Record<string, string>) {
  const sendRequest = await createSender(user);
  const response = await sendRequest(path, { method: "POST", body: new URLSearchParams(fields) });
  const html = await response.clone().text();
  return { status: response.status, text: await readVisibleText(response), html };
}

describe("a daily batch that cannot be saved", () => {
  it.each([
    ["42703", "Database error: Missing table columns. Please run the database setup scripts"],
    ["42P01", "Database error: Tips table not found. Please run the database setup scripts"],
    ["42501", "Permission error: Unable to save tip. Please check database permissions."],
    ["XX000", "quote reference "],
  ])("shows a message for SQLSTATE %s and keeps the form values", async (code, message) => {
    await failWritesTo("tips", code);
    const { status, text, html } = await post(
      await makeTipster(),
      "/tipster-dashboard/add",
      batch(),
    );
    expect(status).toBe(500);
    expect(text).toContain("Failed to add daily tips. Please try again.");
    expect(text).toContain(message);
    expect(html).toContain("Still Standing Here");
    expect(html).not.toContain("secret inside");
    const { rows } = await pool().query("select count(*)::int as cards from race_cards");
    expect(rows).toEqual([{ cards: 0 }]);
  });

  it("shows the same message to an analyst", async () => {
    await failWritesTo("tips", "42501");
    const analyst = await makeTipster({ kind: "analyst" });
    const { status, text, html } = await post(analyst, "/admin/add-tip", {
      idempotencyKey: randomUUID(),
      venueId,
      raceDate: raceDate(),
      raceNumber: "1",
      raceTime: "13:00",
      horseNumber: "4",
      horseName: "Still Standing Here",
      tipType: "each-way",
      confidence: "low",
      reasoning: "Half a page of reasons.",
    });
    expect(status).toBe(500);
    expect(text).toContain("Permission error: Unable to save tip.");
    expect(html).toContain("Still Standing Here");
  });
});

describe("a creator's profile data that cannot be saved", () => {
  it("keeps the profile unchanged", async () => {
    const tipster = await makeTipster();
    await failWritesTo("creators");
    const { status, text, html } = await post(tipster, "/tipster-dashboard/profile", {
      name: "Quite Another",
      specialization: "Sprints",
      bio: "Written at length.",
    });
    expect(status).toBe(500);
    expect(text).toContain(
      "Failed to update profile. If it happens again, contact us and quote reference ",
    );
    expect(html).toContain("Written at length.");
  });

  it("keeps the password unchanged", async () => {
    const tipster = await makeTipster();
    const password = "a long shot";
    await pool().query(
      `insert into credentials (account_id, provider_id, user_id, password, created_at, updated_at)
       values ($1::text, 'credential', $1::uuid, $2, $3, $3)`,
      [tipster.id, await hashPassword(password), now()],
    );
    const fields = {
      currentPassword: password,
      newPassword: "quite another one",
      confirmPassword: "quite another one",
    };
    // Keeps the password hash queue full, so that no other password can be verified.
    let isFlooding = true;
    const flood = Array.from({ length: 80 }, async () => {
      while (isFlooding && (await hashPassword("somebody else's"))) {}
    });
    const busyResponse = await post(tipster, "/tipster-dashboard/password", fields);
    expect(busyResponse.status).toBe(503);
    expect(busyResponse.text).toContain(
      "Error verifying current password. We are very busy right now.",
    );
    isFlooding = false;
    await Promise.all(flood);

    await failWritesTo("credentials");
    const { status, text } = await post(tipster, "/tipster-dashboard/password", fields);
    expect(status).toBe(500);
    expect(text).toContain(
      "Failed to update password. If it happens again, contact us and quote reference ",
    );
  });
});
