import { beforeEach, describe, expect, it } from "vitest";
import { Browser } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import { makeUser, type Person } from "#test/factories.ts";
import { startSession } from "../sessions.server.ts";

const PATH = "/.netlify/functions/send-welcome-email-sendgrid";

let person: Person;
let browser: Browser;
beforeEach(async () => {
  person = await makeUser({ name: "Zanele Mokoena", verified: false });
  browser = await createBrowserFor(person);
});

async function createBrowserFor({ id }: Person): Promise<Browser> {
  const made = new Browser();
  made.applyCookies(await startSession(id));
  return made;
}

const ask = (email = person.email, by = browser) => by.postJson(PATH, { email, name: "Mallory" });
const kindsTo = async (email: string) => (await readEmailsTo(email)).map((mail) => mail.kind);

describe("POST /.netlify/functions/send-welcome-email-sendgrid", () => {
  it("sends the confirmation again with the account's own name", async () => {
    const response = await ask(person.email.toUpperCase());
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true });
    const [mail] = await readEmailsTo(person.email);
    expect(mail?.kind).toBe("confirm-email");
    expect(mail?.text).toContain("Zanele Mokoena");
    expect(mail?.text).not.toContain("Mallory");
  });

  it("sends the welcome email if the address is confirmed", async () => {
    const confirmed = await makeUser();
    expect((await ask(confirmed.email, await createBrowserFor(confirmed))).status).toBe(200);
    expect(await kindsTo(confirmed.email)).toEqual(["welcome"]);
  });

  it("refuses guests and invalid addresses", async () => {
    expect((await ask(person.email, new Browser())).status).toBe(401);
    for (const body of [{}, { email: "nobody" }, { email: 7 }, null]) {
      const response = await browser.postJson(PATH, body);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: expect.stringContaining("email address") });
    }
    expect(await kindsTo(person.email)).toEqual([]);
  });

  it("refuses other addresses with the same response, with or without an account", async () => {
    const other = await makeUser({ verified: false });
    const responses = [];
    for (const email of [other.email, "nobody-at-all@example.test"]) {
      const response = await ask(email);
      responses.push({ status: response.status, body: await response.json() });
    }
    expect(responses[0]).toEqual(responses[1]);
    expect(responses[0]?.status).toBe(403);
    expect(await kindsTo(other.email)).toEqual([]);
  });

  it("refuses a fourth email within the hour", async () => {
    const statuses = [];
    for (let time = 0; time < 4; time += 1) statuses.push((await ask()).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const response = await ask();
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await response.json()).error).toContain("at most three emails an hour");
    expect(await kindsTo(person.email)).toHaveLength(3);
  });

  it("sends three emails when many requests arrive together", async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => ask()));
    expect(responses.filter((response) => response.status === 200)).toHaveLength(3);
    expect(await kindsTo(person.email)).toHaveLength(3);
  });
});
