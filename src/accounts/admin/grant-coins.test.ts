import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { readAudit } from "#platform/audit/audit.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { makeAdmin, makeUser, type Person } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { postToLedger, readStatement, readWallet } from "#wallet/wallet.server.ts";
import { closeAccount } from "../profile/close-account.server.ts";
import { grantCoinsInput } from "./grant-coins.input.ts";
import { grantCoins } from "./grant-coins.server.ts";

let admin: Person;
beforeAll(async () => {
  admin = await makeAdmin();
});
afterEach(expectInvariantsToHold);

const grantInput = (amountCoins = 8, idempotencyKey: string = randomUUID()) => ({
  amountCoins,
  reason: "The site was down while they bought",
  idempotencyKey,
});

async function listGrants(userId: string) {
  const { entries } = await readAudit({ action: "grant-coins", limit: 200 });
  return entries.filter((entry) => entry.subject.startsWith(userId));
}

/** A user who owes coins after a refund that the wallet could not cover. */
async function makeOwingUser(owedCoins: number): Promise<Person> {
  const user = await makeUser();
  await transaction((tx) =>
    postToLedger(tx, "refund", `test:${randomUUID()}`, [
      { account: "owed", owner: user.id, unit: "coin", amount: -owedCoins },
      { account: "sold", unit: "coin", amount: owedCoins },
    ]),
  );
  return user;
}

describe("granting coins", () => {
  it("credits the wallet and audits the admin and the reason", async () => {
    const user = await makeUser({ coins: 3 });
    expect(await grantCoins(admin.id, user.id, grantInput(8))).toEqual({
      ok: true,
      balanceCoins: 11,
      repaidCoins: 0,
    });
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 11 });
    const [line] = (await readStatement(user.id)).lines;
    expect(line).toMatchObject({ kind: "grant", amountCoins: 8, balanceCoins: 11 });
    expect(await listGrants(user.id)).toMatchObject([
      {
        actorId: admin.id,
        subject: line?.reference,
        details: { userId: user.id, amountCoins: 8, reason: grantInput().reason },
      },
    ]);
  });

  it("repays owed coins first", async () => {
    const user = await makeOwingUser(5);
    expect(await grantCoins(admin.id, user.id, grantInput(8))).toEqual({
      ok: true,
      balanceCoins: 3,
      repaidCoins: 5,
    });
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 3, owedCoins: 0 });
    const otherUser = await makeOwingUser(9);
    await grantCoins(admin.id, otherUser.id, grantInput(4));
    expect(await readWallet(otherUser.id)).toMatchObject({ balanceCoins: 0, owedCoins: 5 });
  });

  it("refuses the admin's own account, an unknown user and a closed account", async () => {
    const user = await makeUser();
    await transaction((tx) => closeAccount(tx, user.id));
    expect(await grantCoins(admin.id, admin.id, grantInput())).toEqual({
      ok: false,
      refusal: "yourself",
    });
    expect(await grantCoins(admin.id, randomUUID(), grantInput())).toEqual({
      ok: false,
      refusal: "no-such-user",
    });
    expect(await grantCoins(admin.id, user.id, grantInput())).toEqual({
      ok: false,
      refusal: "closed",
    });
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 0 });
    expect(await listGrants(user.id)).toEqual([]);
  });

  it("grants once when a form is sent again", async () => {
    const user = await makeUser();
    const input = grantInput(8);
    await grantCoins(admin.id, user.id, input);
    expect(await grantCoins(admin.id, user.id, input)).toMatchObject({ ok: true, balanceCoins: 8 });
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 8 });
    expect(await listGrants(user.id)).toHaveLength(1);
  });

  it("grants once per form when many requests arrive together", async () => {
    const user = await makeUser();
    const input = grantInput(8);
    await Promise.all([
      ...Array.from({ length: 8 }, () => grantCoins(admin.id, user.id, input)),
      ...Array.from({ length: 4 }, () => grantCoins(admin.id, user.id, grantInput(1))),
    ]);
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 12 });
    expect(await listGrants(user.id)).toHaveLength(5);
  });

  it("refuses another amount with the key of an earlier grant", async () => {
    const user = await makeOwingUser(4);
    const input = grantInput(8);
    expect(await grantCoins(admin.id, user.id, input)).toMatchObject({ ok: true });
    const other = await grantCoins(admin.id, user.id, { ...input, amountCoins: 4 });
    expect(other).toEqual({ ok: false, refusal: "other-amount" });
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 4, owedCoins: 0 });
    expect(await listGrants(user.id)).toHaveLength(1);
    // The key belongs to this user's grants only.
    const otherUser = await makeUser();
    expect(await grantCoins(admin.id, otherUser.id, { ...input, amountCoins: 4 })).toMatchObject({
      ok: true,
      balanceCoins: 4,
    });
  });

  it("grants one of two amounts that arrive together with one key, and refuses the other", async () => {
    const user = await makeUser();
    const input = grantInput(8);
    const results = await Promise.all(
      [8, 4].map((amountCoins) => grantCoins(admin.id, user.id, { ...input, amountCoins })),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results).toContainEqual({ ok: false, refusal: "other-amount" });
    expect([4, 8]).toContain((await readWallet(user.id)).balanceCoins);
  });

  it("grants nothing if the audit entry cannot be written", async () => {
    const user = await makeUser();
    await database().execute(
      sql`alter table audit_entries add constraint no_grants check (action <> 'grant-coins') not valid`,
    );
    await expect(grantCoins(admin.id, user.id, grantInput())).rejects.toThrow();
    await database().execute(sql`alter table audit_entries drop constraint no_grants`);
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 0 });
  });

  it.each(["", "0", "-4", "1.5", "401", "four", "1e9"])(
    "refuses %j as a number of coins",
    (amountCoins) => {
      expect(v.safeParse(grantCoinsInput, { ...grantInput(), amountCoins }).success).toBe(false);
    },
  );

  it("requires a reason", () => {
    expect(v.safeParse(grantCoinsInput, { ...grantInput(), reason: "  " }).success).toBe(false);
  });
});
