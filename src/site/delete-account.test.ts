import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hashPassword, startSession, type Viewer } from "#identity/identity.server.ts";
import { pool } from "#platform/database.server.ts";
import { unlockRaceCardAs } from "#race-cards/race-cards.server.ts";
import { readStatement, readWallet } from "#wallet/wallet.server.ts";
import { expectBooksToHold } from "../../test/books.ts";
import { Browser } from "../../test/browser.ts";
import { makeUser, type Person, publishRaceCard } from "../../test/cast.ts";
import { deleteAccount } from "./delete-account.server.ts";

const PASSWORD = "a long shot";

let passwordHash: string | null;
let person: Person;
let browser: Browser;

const viewer = (): Viewer => ({ ...person, emailVerified: true, roles: ["user"] });
const forfeits = async () =>
  (await readStatement(person.id)).lines.filter((line) => line.kind === "forfeit");

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  person = await makeUser({ coins: 10, passwordHash });
  browser = new Browser();
  browser.take(await startSession(person.id));
});
afterAll(expectBooksToHold);

describe("deleting an account", () => {
  it("forfeits the coins, forgets the person and ends the session", async () => {
    const { raceCardId } = await publishRaceCard();
    await unlockRaceCardAs(person.id, { raceCardId });
    const answer = await browser.post("/profile/delete", { password: PASSWORD, sure: "on" });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("Your account is gone");
    expect(browser.cookies.size).toBe(0);
    expect((await readWallet(person.id)).balanceCoins).toBe(0);
    expect(await forfeits()).toMatchObject([{ amountCoins: -6, balanceCoins: 0 }]);
    const { rows } = await pool().query(
      "select u.name, u.email, (select count(*) from sales where buyer_id = u.id) as sales from users u where id = $1",
      [person.id],
    );
    expect(rows[0].name).not.toContain(person.name);
    expect(rows[0].email).not.toBe(person.email);
    expect(rows[0].sales).toBe(1);
    const signIn = await new Browser().postJson("/api/sign-in", {
      email: person.email,
      password: PASSWORD,
    });
    expect(signIn.status).toBe(401);
  });

  it("is refused without the password, without the tick, and to who earns or operates here", async () => {
    expect(await deleteAccount(viewer(), "not it")).toEqual({
      ok: false,
      refusal: "wrong-password",
    });
    expect(await deleteAccount({ ...viewer(), roles: ["user", "tipster"] }, PASSWORD)).toEqual({
      ok: false,
      refusal: "has-a-role",
    });
    const answer = await browser.post("/profile/delete", { password: PASSWORD });
    expect(answer.status).toBe(422);
    expect((await readWallet(person.id)).balanceCoins).toBe(10);
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  it("is nobody else's to ask for", async () => {
    const answer = await new Browser().post("/profile/delete", { password: PASSWORD, sure: "on" });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("Location")).toBe("/login?return=%2Fprofile%2Fdelete");
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  it("happens once, however often it is asked for", async () => {
    expect(await deleteAccount(viewer(), PASSWORD)).toEqual({ ok: true, forfeitedCoins: 10 });
    expect(await deleteAccount(viewer(), PASSWORD)).toMatchObject({ ok: false });
    expect(await forfeits()).toHaveLength(1);
  });

  it("at the same moment as a card is opened and as itself loses no coin", async () => {
    const { raceCardId } = await publishRaceCard();
    const [first, second] = await Promise.all([
      deleteAccount(viewer(), PASSWORD),
      deleteAccount(viewer(), PASSWORD),
      unlockRaceCardAs(person.id, { raceCardId }),
    ]);
    const forfeited = [first, second].reduce(
      (sum, answer) => sum + (answer.ok ? answer.forfeitedCoins : 0),
      0,
    );
    const { rows } = await pool().query(
      "select coalesce(sum(price_coins), 0)::int as spent from sales where buyer_id = $1",
      [person.id],
    );
    expect(forfeited + rows[0].spent).toBe(10);
    expect((await readWallet(person.id)).balanceCoins).toBe(0);
    expect(await forfeits()).toHaveLength(1);
  });
});
