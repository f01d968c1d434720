import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hashPassword, startSession, type Viewer } from "#accounts/accounts.server.ts";
import { setCreatorPhoto } from "#creators/profile/creator-photo.server.ts";
import { suspendCreator } from "#creators/suspension.server.ts";
import { makeDemoPurchase } from "#payments/payments.server.ts";
import { writeBankDetails } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin, makeTipster, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { lockWallet, readStatement, readWallet, setWalletFrozen } from "#wallet/wallet.server.ts";
import { closeUserAccount } from "./close-user-account.server.ts";
import { deleteAccount } from "./delete-account.server.ts";

const PASSWORD = "a long shot";

let passwordHash: string | null;
let person: Person;
let browser: Browser;

const createViewer = (): Viewer => ({ ...person, emailVerified: true, roles: ["user"] });
const readForfeits = async () =>
  (await readStatement(person.id)).lines.filter((line) => line.kind === "forfeit");

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  person = await makeUser({ coins: 10, passwordHash });
  browser = new Browser();
  browser.applyCookies(await startSession(person.id));
});
afterAll(expectInvariantsToHold);

describe("deleting an account", () => {
  it("takes the coins, removes the personal data and ends the session", async () => {
    const { raceCardId } = await publishRaceCard();
    await unlockRaceCardAs(person.id, { raceCardId });
    const response = await browser.post("/profile/delete", { password: PASSWORD, confirmed: "on" });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("Account deleted");
    expect(browser.cookies.size).toBe(0);
    expect((await readWallet(person.id)).balanceCoins).toBe(0);
    expect(await readForfeits()).toMatchObject([{ amountCoins: -6, balanceCoins: 0 }]);
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

  it("says what is refunded before, and shows the claim code once after", async () => {
    await makeDemoPurchase({ userId: person.id, coinPackId: "starter_4", at: now() });
    const question = await (await browser.get("/profile/delete")).text();
    expect(question).toContain(
      "We refund R40 for the 4 coins you bought and didn&#x27;t spend, the way you paid. You will lose 10 coins you got free.",
    );
    const response = await browser.post("/profile/delete", { password: PASSWORD, confirmed: "on" });
    const page = await response.text();
    expect(page).toContain("We are refunding R40");
    expect(page).toMatch(/([0-9A-Z]{4}-){4}[0-9A-Z]{4}/);
  });

  it("refuses a wrong password, a missing confirmation and users with a role", async () => {
    expect(await deleteAccount(createViewer(), "not it")).toEqual({
      ok: false,
      refusal: "wrong-password",
    });
    expect(
      await deleteAccount({ ...createViewer(), roles: ["user", "tipster"] }, PASSWORD),
    ).toEqual({
      ok: false,
      refusal: "has-a-role",
    });
    const response = await browser.post("/profile/delete", { password: PASSWORD });
    expect(response.status).toBe(422);
    expect((await readWallet(person.id)).balanceCoins).toBe(10);
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  it("refuses while a payment is disputed, with the reason", async () => {
    await transaction((tx) => setWalletFrozen(tx, person.id, true));
    expect(await deleteAccount(createViewer(), PASSWORD)).toEqual({
      ok: false,
      refusal: "disputed",
    });
    const response = await browser.post("/profile/delete", { password: PASSWORD, confirmed: "on" });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain("One of your payments is in dispute");
    expect((await readWallet(person.id)).balanceCoins).toBe(10);
    await transaction((tx) => setWalletFrozen(tx, person.id, false));
    expect(await deleteAccount(createViewer(), PASSWORD)).toMatchObject({ ok: true });
  });

  it("refuses a suspended creator only while earnings are unpaid", async () => {
    const admin = await makeAdmin();
    for (const hasSale of [true, false]) {
      const creator = await makeTipster();
      await pool().query(
        `insert into credentials (account_id, provider_id, user_id, password, created_at, updated_at)
         values ($1::text, 'credential', $1::uuid, $2, now(), now())`,
        [creator.id, passwordHash],
      );
      const { raceCardId } = await publishRaceCard({ creatorId: creator.id });
      if (hasSale) await unlockRaceCardAs(person.id, { raceCardId });
      await suspendCreator(admin.id, creator.id);
      const creatorViewer: Viewer = { ...createViewer(), ...creator, roles: ["user"] };
      expect(await deleteAccount(creatorViewer, PASSWORD)).toMatchObject(
        hasSale ? { ok: false, refusal: "has-unpaid-earnings" } : { ok: true, lapsedCoins: 0 },
      );
    }
  });

  it("erases the bank details and the profile of a suspended creator, and keeps the display name", async () => {
    const [creator, other] = [await makeTipster(), await makeTipster()];
    for (const { id } of [creator, other]) {
      await writeBankDetails(id, {
        holder: "S. Dube",
        bank: "Capitec",
        branchCode: "470010",
        accountNumber: "1234567890",
        accountType: "savings",
      });
      await setCreatorPhoto(id, "/uploads/photo");
      await pool().query(
        "update creators set specialization = 'Sprints', bio = 'Since 1999' where user_id = $1",
        [id],
      );
    }
    const admin = await makeAdmin();
    await suspendCreator(admin.id, creator.id);
    const readStored = async ({ id }: Person) =>
      (
        await pool().query(
          `select c.display_name, c.profile_image, c.specialization, c.bio, b.account_last4
           from creators c left join bank_details b on b.creator_id = c.user_id where c.user_id = $1`,
          [id],
        )
      ).rows[0];
    const before = await readStored(creator);
    expect(before).toMatchObject({ profile_image: "/uploads/photo", account_last4: "7890" });
    expect(await closeUserAccount(admin.id, creator.id, "Asked for it")).toMatchObject({
      ok: true,
    });
    expect(await readStored(creator)).toEqual({
      ...before,
      profile_image: null,
      specialization: "",
      bio: "",
      account_last4: null,
    });
    expect(await readStored(other)).toMatchObject({
      profile_image: "/uploads/photo",
      specialization: "Sprints",
      bio: "Since 1999",
      account_last4: "7890",
    });
  });

  it("succeeds when the placeholder email address of the closed account is taken", async () => {
    await makeUser({ email: `${person.id}@closed.invalid` });
    expect(await deleteAccount(createViewer(), PASSWORD)).toMatchObject({ ok: true });
    const { rows } = await pool().query("select email from users where id = $1", [person.id]);
    expect(rows[0].email).toMatch(new RegExp(`^${person.id}\\.[0-9a-f]{16}@closed\\.invalid$`));
    await pool().query("update users set closed_at = now() where email = $1", [
      `${person.id}@closed.invalid`,
    ]);
  });

  it("is refused or completes first when a dispute arrives concurrently", async () => {
    const [deleted] = await Promise.all([
      deleteAccount(createViewer(), PASSWORD),
      transaction(async (tx) => {
        await lockWallet(tx, person.id);
        await setWalletFrozen(tx, person.id, true);
      }),
    ]);
    const { rows } = await pool().query("select closed_at from users where id = $1", [person.id]);
    expect(rows[0].closed_at !== null).toBe(deleted.ok);
  });

  it("requires a session", async () => {
    const response = await new Browser().post("/profile/delete", {
      password: PASSWORD,
      confirmed: "on",
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("/login?return=%2Fprofile%2Fdelete");
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  it("lets the coins lapse once when the request is repeated", async () => {
    expect(await deleteAccount(createViewer(), PASSWORD)).toMatchObject({
      ok: true,
      lapsedCoins: 10,
    });
    expect(await deleteAccount(createViewer(), PASSWORD)).toMatchObject({ ok: false });
    expect(await readForfeits()).toHaveLength(1);
  });

  it("loses no coins when two deletions and an unlock run concurrently", async () => {
    const { raceCardId } = await publishRaceCard();
    const [first, second] = await Promise.all([
      deleteAccount(createViewer(), PASSWORD),
      deleteAccount(createViewer(), PASSWORD),
      unlockRaceCardAs(person.id, { raceCardId }),
    ]);
    const forfeited = [first, second].reduce(
      (sum, response) => sum + (response.ok ? response.lapsedCoins : 0),
      0,
    );
    const { rows } = await pool().query(
      "select coalesce(sum(price_coins), 0)::int as spent from sales where buyer_id = $1",
      [person.id],
    );
    expect(forfeited + rows[0].spent).toBe(10);
    expect((await readWallet(person.id)).balanceCoins).toBe(0);
    expect(await readForfeits()).toHaveLength(1);
  });
});
