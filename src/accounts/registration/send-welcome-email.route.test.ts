import { beforeEach, describe, expect, it } from "vitest";
import { Browser } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import { makeUser, type Person } from "#test/factories.ts";
import { startSession } from "../sessions.server.ts";

const PATH = "/.netlify/functions/send-welcome-email-sendgrid";

let user: Person;
let browser: Browser;
beforeEach(async () => {
  user = await makeUser({ name: "Zanele Mokoena", verified: false });
  browser = await createBrowserFor(user);
});

async function createBrowserFor({ id }: Person): Promise<Browser> {
  const newBrowser = new Browser();
  newBrowser.applyCookies(await startSession(id));
  return newBrowser;
}

const requestEmail = (email = user.email, by = browser) =>
  by.postJson(PATH, { email, name: "Mallory" });
const listEmailKinds = async (email: string) => (await readEmailsTo(email)).map(({ kind }) => kind);

describe("POST /.netlify/functions/send-welcome-email-sendgrid", () => {
  it("sends the confirmation again with the account's own name", async () => {
    const response = await requestEmail(user.email.toUpperCase());
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true });
    const [sentEmail] = await readEmailsTo(user.email);
    expect(sentEmail?.kind).toBe("confirm-email");
    expect(sentEmail?.text).toContain("Zanele Mokoena");
    expect(sentEmail?.text).not.toContain("Mallory");
  });

  it("sends the welcome email if the address is confirmed", async () => {
    const confirmed = await makeUser();
    expect((await requestEmail(confirmed.email, await createBrowserFor(confirmed))).status).toBe(
      200,
    );
    expect(await listEmailKinds(confirmed.email)).toEqual(["welcome"]);
  });

  it("refuses guests and invalid addresses", async () => {
    expect((await requestEmail(user.email, new Browser())).status).toBe(401);
    for (const body of [{}, { email: "nobody" }, { email: 7 }, null]) {
      const response = await browser.postJson(PATH, body);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: expect.stringContaining("email address") });
    }
    expect(await listEmailKinds(user.email)).toEqual([]);
  });

  it("refuses other addresses with the same response, with or without an account", async () => {
    const otherUser = await makeUser({ verified: false });
    const responses = [];
    for (const email of [otherUser.email, "nobody-at-all@example.test"]) {
      const response = await requestEmail(email);
      responses.push({ status: response.status, body: await response.json() });
    }
    expect(responses[0]).toEqual(responses[1]);
    expect(responses[0]?.status).toBe(403);
    expect(await listEmailKinds(otherUser.email)).toEqual([]);
  });

  it("refuses a fourth email within the hour", async () => {
    const statuses = [];
    for (let time = 0; time < 4; time += 1) statuses.push((await requestEmail()).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const response = await requestEmail();
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await response.json()).error).toContain("at most three emails an hour");
    expect(await listEmailKinds(user.email)).toHaveLength(3);
  });

  it("sends three emails when many requests arrive together", async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => requestEmail()));
    expect(responses.filter((response) => response.status === 200)).toHaveLength(3);
    expect(await listEmailKinds(user.email)).toHaveLength(3);
  });
});
