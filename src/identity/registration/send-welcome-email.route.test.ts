import { beforeEach, describe, expect, it } from "vitest";
import { Browser } from "#test/browser.ts";
import { mailsTo } from "#test/emails.ts";
import { makeUser, type Person } from "#test/factories.ts";
import { startSession } from "../sessions.server.ts";

const PATH = "/.netlify/functions/send-welcome-email-sendgrid";

let person: Person;
let browser: Browser;
beforeEach(async () => {
  person = await makeUser({ name: "Zanele Mokoena", verified: false });
  browser = await browserOf(person);
});

async function browserOf({ id }: Person): Promise<Browser> {
  const made = new Browser();
  made.take(await startSession(id));
  return made;
}

const ask = (email = person.email, by = browser) => by.postJson(PATH, { email, name: "Mallory" });
const kindsTo = async (email: string) => (await mailsTo(email)).map((mail) => mail.kind);

describe("the JSON call for the mail after registering", () => {
  it("sends the caller's confirmation again, in the account's own name", async () => {
    const answer = await ask(person.email.toUpperCase());
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ ok: true });
    const [mail] = await mailsTo(person.email);
    expect(mail?.kind).toBe("confirm-email");
    expect(mail?.text).toContain("Zanele Mokoena");
    expect(mail?.text).not.toContain("Mallory");
  });

  it("sends the welcome where the address is confirmed", async () => {
    const confirmed = await makeUser();
    expect((await ask(confirmed.email, await browserOf(confirmed))).status).toBe(200);
    expect(await kindsTo(confirmed.email)).toEqual(["welcome"]);
  });

  it("refuses who is not signed in, and what is no address", async () => {
    expect((await ask(person.email, new Browser())).status).toBe(401);
    for (const body of [{}, { email: "nobody" }, { email: 7 }, null]) {
      const answer = await browser.postJson(PATH, body);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({ error: expect.stringContaining("email address") });
    }
    expect(await kindsTo(person.email)).toEqual([]);
  });

  it("writes to nobody else, and answers alike whether or not they have an account", async () => {
    const other = await makeUser({ verified: false });
    const answers = [];
    for (const email of [other.email, "nobody-at-all@example.test"]) {
      const answer = await ask(email);
      answers.push({ status: answer.status, body: await answer.json() });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.status).toBe(403);
    expect(await kindsTo(other.email)).toEqual([]);
  });

  it("asked for twice sends two, and a fourth within the hour is refused", async () => {
    const statuses = [];
    for (let time = 0; time < 4; time += 1) statuses.push((await ask()).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const answer = await ask();
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await answer.json()).error).toContain("at most three emails an hour");
    expect(await kindsTo(person.email)).toHaveLength(3);
  });

  it("asked for by many at once sends three", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(3);
    expect(await kindsTo(person.email)).toHaveLength(3);
  });
});
