import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { Browser } from "#test/browser.ts";
import { findEmailToken } from "#test/emails.ts";
import { grantTestCoins, makeUser, type Person } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { ensureFirstAdmin } from "./ensure-first-admin.server.ts";
import { hashPassword } from "./password/password-hash.server.ts";
import {
  canClaimAccount,
  claimUnconfirmedAccount,
} from "./registration/claim-unconfirmed-account.server.ts";
import { confirmEmail } from "./registration/confirm-email.server.ts";
import { createUserInTransaction } from "./registration/create-user.server.ts";
import { sendConfirmation } from "./registration/send-confirmation.server.ts";
import { grantRole } from "./roles.server.ts";
import { startSession } from "./sessions.server.ts";
import { userRoles, users } from "./tables.server.ts";
import { findUserByEmail } from "./users.server.ts";

let strangerHash: string | null;
let buyerHash = "";
let stranger: Person;

beforeAll(async () => {
  strangerHash = await hashPassword("the stranger's");
  buyerHash = (await hashPassword("the buyer's own")) ?? "";
});
beforeEach(async () => {
  stranger = await makeUser({ passwordHash: strangerHash, verified: false });
});
afterAll(expectInvariantsToHold);

const claim = () =>
  transaction((tx) =>
    claimUnconfirmedAccount(tx, {
      email: stranger.email,
      name: "The Buyer",
      passwordHash: buyerHash,
      agreedAt: now(),
    }),
  );

describe("claiming an unconfirmed account", () => {
  it("gives the account to the paying guest and locks out the previous owner", async () => {
    await transaction((tx) => sendConfirmation(tx, stranger.id));
    const link = await findEmailToken("/auth-callback", stranger.email);
    const browser = new Browser();
    browser.applyCookies(await startSession(stranger.id));
    expect(await canClaimAccount(stranger.email)).toBe(true);
    expect(await claim()).toBe(stranger.id);
    expect((await browser.get("/api/me")).status).toBe(401);
    expect(await confirmEmail(link, browser.request())).toMatchObject({ ok: false });
    await database().update(users).set({ emailVerified: true }).where(eq(users.id, stranger.id));
    const signIn = (password: string) =>
      new Browser({ address: "10.3.0.1" }).postJson("/api/sign-in", {
        email: stranger.email,
        password,
      });
    expect((await signIn("the stranger's")).status).toBe(401);
    expect((await signIn("the buyer's own")).status).toBe(200);
    expect(await findUserByEmail(stranger.email)).toMatchObject({ name: "The Buyer" });
  });

  it("refuses an account that is confirmed, has a role or has ledger postings", async () => {
    const cases = [
      () => database().update(users).set({ emailVerified: true }).where(eq(users.id, stranger.id)),
      () =>
        transaction((tx) => grantRole(tx, { userId: stranger.id, role: "tipster", actorId: null })),
      () => grantTestCoins(stranger.id, 4),
    ];
    for (const make of cases) {
      stranger = await makeUser({ passwordHash: strangerHash, verified: false });
      await make();
      expect(await canClaimAccount(stranger.email)).toBe(false);
      expect(await claim()).toBeNull();
      expect(await findUserByEmail(stranger.email)).toMatchObject({ name: stranger.name });
    }
    expect(await canClaimAccount("nobody@example.test")).toBe(false);
  });
});

describe("creating a user", () => {
  const make = (email: string) =>
    transaction((tx) =>
      createUserInTransaction(tx, {
        email,
        name: "Ayanda",
        passwordHash: buyerHash,
        verified: false,
        agreedAt: now(),
      }),
    );

  it("creates one user when eight requests arrive together", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => make("ayanda@example.test")));
    expect(ids.filter(Boolean)).toHaveLength(1);
  });

  it("writes nothing when the surrounding transaction fails", async () => {
    const failing = transaction(async (tx) => {
      await createUserInTransaction(tx, {
        email: "gone@example.test",
        name: "Gone",
        passwordHash: buyerHash,
        verified: false,
        agreedAt: null,
      });
      throw new Error("the rest failed");
    });
    await expect(failing).rejects.toThrow("the rest failed");
    expect(await findUserByEmail("gone@example.test")).toBeNull();
  });
});

describe("the first admin", () => {
  it("is created once from the environment when several servers start together", async () => {
    const results = await Promise.all([ensureFirstAdmin(), ensureFirstAdmin(), ensureFirstAdmin()]);
    expect(results.sort()).toEqual(["created", "exists", "exists"]);
    const admin = await findUserByEmail(env().admin?.email ?? "");
    expect(admin).toMatchObject({ emailVerified: true });
    const roles = await database().select().from(userRoles).where(eq(userRoles.role, "admin"));
    expect(roles.map((row) => row.userId)).toEqual([admin?.id]);
    expect(await ensureFirstAdmin()).toBe("exists");
  });
});
