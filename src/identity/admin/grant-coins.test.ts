import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { readAudit } from "#audit/audit.server.ts";
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

const wish = (amountCoins = 8, idempotencyKey: string = randomUUID()) => ({
  amountCoins,
  reason: "The site was down while they bought",
  idempotencyKey,
});

async function grantsTo(userId: string) {
  const { entries } = await readAudit({ action: "grant-coins", limit: 200 });
  return entries.filter((entry) => entry.subject.startsWith(userId));
}

/** A user who owes coins after a refund that the wallet could not cover. */
async function owingUser(owedCoins: number): Promise<Person> {
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
  it("puts them into the wallet, and who did it and why into the audit", async () => {
    const user = await makeUser({ coins: 3 });
    expect(await grantCoins(admin.id, user.id, wish(8))).toEqual({
      ok: true,
      balanceCoins: 11,
      repaidCoins: 0,
    });
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 11 });
    const [line] = (await readStatement(user.id)).lines;
    expect(line).toMatchObject({ kind: "grant", amountCoins: 8, balanceCoins: 11 });
    expect(await grantsTo(user.id)).toMatchObject([
      {
        actorId: admin.id,
        subject: line?.reference,
        details: { userId: user.id, amountCoins: 8, reason: wish().reason },
      },
    ]);
  });

  it("repays first what the user owes", async () => {
    const user = await owingUser(5);
    expect(await grantCoins(admin.id, user.id, wish(8))).toEqual({
      ok: true,
      balanceCoins: 3,
      repaidCoins: 5,
    });
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 3, owedCoins: 0 });
    const other = await owingUser(9);
    await grantCoins(admin.id, other.id, wish(4));
    expect(await readWallet(other.id)).toMatchObject({ balanceCoins: 0, owedCoins: 5 });
  });

  it("is refused to oneself, to nobody and to a closed account", async () => {
    const user = await makeUser();
    await transaction((tx) => closeAccount(tx, user.id));
    expect(await grantCoins(admin.id, admin.id, wish())).toEqual({
      ok: false,
      refusal: "yourself",
    });
    expect(await grantCoins(admin.id, randomUUID(), wish())).toEqual({
      ok: false,
      refusal: "no-such-user",
    });
    expect(await grantCoins(admin.id, user.id, wish())).toEqual({ ok: false, refusal: "closed" });
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 0 });
    expect(await grantsTo(user.id)).toEqual([]);
  });

  it("happens once for one form, however often it is sent", async () => {
    const user = await makeUser();
    const once = wish(8);
    await grantCoins(admin.id, user.id, once);
    expect(await grantCoins(admin.id, user.id, once)).toMatchObject({ ok: true, balanceCoins: 8 });
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 8 });
    expect(await grantsTo(user.id)).toHaveLength(1);
  });

  it("happens once for one form that is sent many times at the same moment, and each form counts", async () => {
    const user = await makeUser();
    const once = wish(8);
    await Promise.all([
      ...Array.from({ length: 8 }, () => grantCoins(admin.id, user.id, once)),
      ...Array.from({ length: 4 }, () => grantCoins(admin.id, user.id, wish(1))),
    ]);
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 12 });
    expect(await grantsTo(user.id)).toHaveLength(5);
  });

  it("leaves nothing behind where it cannot be written down", async () => {
    const user = await makeUser();
    await database().execute(
      sql`alter table audit_entries add constraint no_grants check (action <> 'grant-coins') not valid`,
    );
    await expect(grantCoins(admin.id, user.id, wish())).rejects.toThrow();
    await database().execute(sql`alter table audit_entries drop constraint no_grants`);
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 0 });
  });

  it.each(["", "0", "-4", "1.5", "401", "four", "1e9"])(
    "refuses %j as a number of coins",
    (amountCoins) => {
      expect(v.safeParse(grantCoinsInput, { ...wish(), amountCoins }).success).toBe(false);
    },
  );

  it("asks for a reason", () => {
    expect(v.safeParse(grantCoinsInput, { ...wish(), reason: "  " }).success).toBe(false);
  });
});
