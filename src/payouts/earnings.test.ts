import { sql } from "drizzle-orm";
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { returnCoins } from "#payments/payments.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import type { HttpEnv } from "#platform/http/http.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { enterTipResultAsTwo } from "#test/admin-results.ts";
import {
  holdEarningsOfBuyer,
  makeAdmin,
  makeTipster,
  makeUser,
  publishRaceCard,
  reverseEarningsOfBuyer,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readOwnRaceCardsBetween } from "#tips/tips.server.ts";
import { openWallet, postToLedger } from "#wallet/wallet.server.ts";
import { requestPayout } from "./create-payout.server.ts";
import { rollUpEarnings } from "./earning-days.server.ts";
import {
  type EarningStatus,
  readEarnings,
  readEarningsByDay,
  readEarningsOfCards,
  readEarningsSummary,
} from "./earnings.server.ts";
import { earningsStatement } from "./earnings-statement.route.ts";
import { releaseEarnings } from "./hold-earnings.server.ts";
import { listDuePayouts } from "./list-due-payouts.server.ts";
import { writeBankDetails } from "./save-bank-details.server.ts";
import { setLackingCoins } from "./set-lacking-coins.server.ts";

const START = instantAt("2026-09-01", "08:00");
const VENUES = ["vaal", "fairview", "scottsville", "turffontein"];
const DETAILS = {
  holder: "S. Dube",
  bank: "Capitec",
  branchCode: "470010",
  accountNumber: "1234567890",
  accountType: "savings" as const,
};

beforeEach(() => freezeClock(START));
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

function later(days: number, hours = 0): void {
  freezeClock(new Date(now().getTime() + (days * 24 + hours) * 60 * 60 * 1000));
}

/** Publishes a race card and unlocks it for a number of new buyers. Returns their ids. */
async function sell(
  creatorId: string,
  buyers: number,
  { venue = "kenilworth", daysAhead = 1 } = {},
): Promise<string[]> {
  const raceDate = addDays(dateAt(now()), daysAhead);
  const { raceCardId } = await publishRaceCard({ creatorId, venue, raceDate });
  const ids: string[] = [];
  for (let index = 0; index < buyers; index += 1) {
    const { id } = await makeUser({ coins: 8 });
    await unlockRaceCardAs(id, { raceCardId });
    ids.push(id);
  }
  return ids;
}

/** Voids one of the creator's tips that is not void yet, and returns the coins. */
async function voidTip(creatorId: string): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(
    `select t.id from tips t join race_cards c on c.id = t.race_card_id
     where c.creator_id = $1 and t.result is null order by t.id limit 1`,
    [creatorId],
  );
  const { id: actorId } = await makeAdmin();
  const entry = { tipId: rows[0]?.id ?? "", result: "void" as const, reason: "Non-runner" };
  await enterTipResultAsTwo(actorId, entry);
  await drainQueue([returnCoins]);
}

/** Restores the earning of the creator's oldest reversal, as after a failed refund. */
async function restoreOldestReversal(creatorId: string): Promise<void> {
  const { rows } = await pool().query<{ sale_id: number; amount_cents: number; id: number }>(
    `select r.sale_id, r.amount_cents, r.transaction_id as id
     from earning_reversals r join sales s on s.id = r.sale_id
     where s.creator_id = $1 order by r.transaction_id limit 1`,
    [creatorId],
  );
  const [reversal] = rows;
  if (!reversal) return;
  const amount = reversal.amount_cents;
  await transaction(async (tx) => {
    const transactionId = await postToLedger(tx, "reversal", `restored:test:${reversal.id}`, [
      { account: "payable", owner: creatorId, unit: "cent", amount },
      { account: "commission", unit: "cent", amount: -amount },
    ]);
    await tx.execute(sql`select restore_earning(${reversal.sale_id}, ${transactionId}, ${now()})`);
  });
}

describe("a creator's earnings", () => {
  it("are listed one per sale, newest first, page by page, without the buyer", async () => {
    const { id } = await makeTipster();
    await sell(id, 3);
    later(1);
    await sell(id, 1, { venue: "greyville" });
    const first = await readEarnings(id, { limit: 2 });
    const rest = await readEarnings(id, { beforeSaleId: first.next, limit: 2 });
    expect(first.earnings).toHaveLength(2);
    expect(rest.next).toBeNull();
    const all = [...first.earnings, ...rest.earnings];
    expect(all.map((earning) => dateAt(earning.soldAt))).toEqual([
      "2026-09-02",
      "2026-09-01",
      "2026-09-01",
      "2026-09-01",
    ]);
    expect(all[0]).toMatchObject({
      amountCents: 2800,
      coins: 4,
      raceCount: 3,
      status: "pending",
      payableAt: instantAt("2026-09-16", "08:00"),
    });
    expect(Object.keys(all[0] ?? {}).join()).not.toMatch(/buyer|user/i);
  });

  it("are not visible to another creator", async () => {
    const { id } = await makeTipster();
    const other = await makeTipster();
    await sell(id, 1);
    expect(await readEarnings(other.id)).toEqual({ earnings: [], next: null });
    expect(await readEarningsSummary(other.id)).toMatchObject({ sales: 0, totalCents: 0 });
  });

  it("are zero without an average before the first sale", async () => {
    const { id } = await makeTipster();
    expect(await readEarningsSummary(id)).toEqual({
      sales: 0,
      totalCents: 0,
      pendingCents: 0,
      heldCents: 0,
      payableCents: 0,
      inPayoutCents: 0,
      paidCents: 0,
      reversedCents: 0,
      averagePerTipCents: null,
      lastSaleAt: null,
      nextPayDay: "2026-09-15",
      dueCents: 0,
    });
  });

  it("become payable 14 days after the sale", async () => {
    const { id } = await makeTipster();
    await sell(id, 1);
    later(14, -1);
    expect(await readEarningsSummary(id)).toMatchObject({ pendingCents: 2800, payableCents: 0 });
    later(0, 1);
    expect(await readEarningsSummary(id)).toMatchObject({ pendingCents: 0, payableCents: 2800 });
    expect((await readEarnings(id)).earnings[0]?.status).toBe("payable");
  });

  it("become payable on the day after the race when the race card was sold 14 days before it", async () => {
    const { id } = await makeTipster();
    await sell(id, 1, { daysAhead: 14 });
    later(14);
    const { earnings } = await readEarnings(id);
    expect(earnings).toMatchObject([
      { status: "pending", payableAt: instantAt("2026-09-16", "00:00") },
    ]);
    expect(await readEarningsSummary(id)).toMatchObject({ pendingCents: 2800, payableCents: 0 });
    freezeClock(new Date(instantAt("2026-09-16", "00:00").getTime() - 1));
    expect(await readEarningsSummary(id)).toMatchObject({ pendingCents: 2800, payableCents: 0 });
    freezeClock(instantAt("2026-09-16", "00:00"));
    expect(await readEarningsSummary(id)).toMatchObject({ pendingCents: 0, payableCents: 2800 });
    expect((await readEarnings(id)).earnings[0]?.status).toBe("payable");
  });

  it("are due on the next pay day when payable by then and at least R100", async () => {
    const { id } = await makeTipster();
    await sell(id, 3);
    later(1);
    // Sold on the 2nd, payable on the 16th: too late for the 15th.
    await sell(id, 4);
    expect(await readEarningsSummary(id)).toMatchObject({ nextPayDay: "2026-09-15", dueCents: 0 });
    later(14);
    expect(await readEarningsSummary(id)).toMatchObject({
      nextPayDay: "2026-10-15",
      dueCents: 7 * 2800,
    });
  });

  it("are averaged over the published tips", async () => {
    const { id } = await makeTipster();
    await sell(id, 2);
    expect((await readEarningsSummary(id)).averagePerTipCents).toBe(Math.round((2 * 2800) / 3));
  });

  it("are listed by day, including days without sales", async () => {
    const { id } = await makeTipster();
    await sell(id, 2);
    later(2);
    const [buyer = ""] = await sell(id, 1);
    await reverseEarningsOfBuyer(buyer);
    for (const rolledUp of [false, true]) {
      if (rolledUp) await rollUpEarnings();
      const days = await readEarningsByDay(id, { days: 30 });
      expect(days).toHaveLength(30);
      expect(days.slice(-3)).toEqual([
        { day: "2026-09-01", sales: 2, earnedCents: 5600 },
        { day: "2026-09-02", sales: 0, earnedCents: 0 },
        { day: "2026-09-03", sales: 0, earnedCents: 0 },
      ]);
    }
  });

  it("match the sum of single earnings through a random history and every roll-up", async () => {
    const { id } = await makeTipster();
    const other = await makeTipster();
    await writeBankDetails(id, DETAILS);
    let seed = 126;
    const chance = () => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647;
    };
    // Half of the race cards are sold as early as possible, and are payable on the day after their race. A creator has
    // one race card per venue and day.
    const soldCards = new Set<string>();
    const pickDaysAhead = (venue = "") => {
      for (;;) {
        const daysAhead = chance() < 0.5 ? 14 : 1 + Math.floor(chance() * 13);
        const card = `${venue} ${addDays(dateAt(now()), daysAhead)}`;
        if (soldCards.has(card)) continue;
        soldCards.add(card);
        return daysAhead;
      }
    };
    const buyers: string[] = [];
    let mostInPayoutCents = 0;
    for (let step = 0; step < 80; step += 1) {
      later(0, Math.floor(chance() * 60));
      const draw = chance();
      const buyer = buyers[Math.floor(chance() * buyers.length)] ?? "";
      if (draw < 0.55)
        buyers.push(
          ...(await sell(id, 1 + Math.floor(chance() * 3), {
            venue: VENUES[step % VENUES.length],
            daysAhead: pickDaysAhead(VENUES[step % VENUES.length]),
          })),
        );
      else if (draw < 0.6) await sell(other.id, 1, { daysAhead: pickDaysAhead("kenilworth") });
      else if (draw < 0.7 && buyer) await holdEarningsOfBuyer(buyer);
      else if (draw < 0.75 && buyer)
        await transaction((tx) => releaseEarnings(tx, { buyerId: buyer, reason: "test" }));
      else if (draw < 0.85 && buyer) await reverseEarningsOfBuyer(buyer);
      else if (draw < 0.88) await voidTip(id);
      else if (draw < 0.91) await restoreOldestReversal(id);
      else if (draw < 0.95) await rollUpEarnings();
      else await requestPayout(id);
      const totals = await readTotals(id);
      expect(totals).toEqual(await sumEarnings(id));
      expect(totals).toMatchObject(await sumStatement(id));
      mostInPayoutCents = Math.max(mostInPayoutCents, totals.inPayoutCents);
      const { due } = await listDuePayouts({ limit: 1000 });
      expect(due.find((payout) => payout.creatorId === id)?.dueCents ?? 0).toBe(
        (await readTotals(id)).dueCents,
      );
    }
    const { reversedCents } = await readEarningsSummary(id);
    expect(reversedCents).toBeGreaterThan(0);
    const { rows: reductions } = await pool().query(
      `select sum(r.reduced_cents) as cents from coin_returns r join sales s on s.id = r.sale_id
       where s.creator_id = $1`,
      [id],
    );
    expect(reductions[0].cents).toBeGreaterThan(0);
    const { rows: restorations } = await pool().query(
      "select from earning_restorations r join sales s on s.id = r.sale_id where s.creator_id = $1",
      [id],
    );
    expect(restorations.length).toBeGreaterThan(0);
    expect(mostInPayoutCents).toBeGreaterThan(0);
  });
});

async function readTotals(creatorId: string) {
  const { sales, totalCents, pendingCents, heldCents, payableCents, inPayoutCents, dueCents } =
    await readEarningsSummary(creatorId);
  return { sales, totalCents, pendingCents, heldCents, payableCents, inPayoutCents, dueCents };
}

/** Returns the same totals, computed from the list of earnings. */
async function sumEarnings(creatorId: string) {
  const { earnings } = await readEarnings(creatorId, { limit: 1000 });
  const sum = (...statuses: string[]) =>
    earnings
      .filter((earning) => statuses.includes(earning.status))
      .reduce((total, earning) => total + earning.amountCents, 0);
  const { nextPayDay } = await readEarningsSummary(creatorId);
  const payableCents = earnings
    .filter((earning) => ["pending", "payable"].includes(earning.status))
    .filter((earning) => earning.payableAt <= instantAt(nextPayDay))
    .reduce((total, earning) => total + earning.amountCents, 0);
  return {
    sales: earnings.filter((earning) => earning.status !== "reversed").length,
    totalCents: sum("pending", "held", "payable", "requested", "processing", "paid"),
    pendingCents: sum("pending"),
    heldCents: sum("held"),
    payableCents: sum("payable"),
    inPayoutCents: sum("requested", "processing"),
    dueCents: payableCents >= 10_000 ? payableCents : 0,
  };
}

/** Returns the same totals but the amount due, computed from the statement by race card. */
async function sumStatement(creatorId: string) {
  const raceCards = await readOwnRaceCardsBetween(creatorId, {
    from: dateAt(START),
    to: addDays(dateAt(now()), 14),
  });
  const groups = await readEarningsOfCards(
    creatorId,
    raceCards.map((raceCard) => raceCard.id),
  );
  const sum = (key: "sales" | "amountCents", ...statuses: EarningStatus[]) =>
    groups
      .filter((group) => statuses.includes(group.status))
      .reduce((total, group) => total + group[key], 0);
  const counted = ["pending", "held", "payable", "requested", "processing", "paid"] as const;
  return {
    sales: sum("sales", ...counted),
    totalCents: sum("amountCents", ...counted),
    pendingCents: sum("amountCents", "pending"),
    heldCents: sum("amountCents", "held"),
    payableCents: sum("amountCents", "payable"),
    inPayoutCents: sum("amountCents", "requested", "processing"),
  };
}

describe("the earnings by race card", () => {
  const readGroups = async (creatorId: string) => {
    const from = dateAt(START);
    const raceCards = await readOwnRaceCardsBetween(creatorId, { from, to: addDays(from, 60) });
    return await readEarningsOfCards(
      creatorId,
      raceCards.map(({ id }) => id),
    );
  };

  it("group the sales of a race card by state and by the day on which they are payable", async () => {
    const { id } = await makeTipster();
    const { raceCardId } = await publishRaceCard({
      creatorId: id,
      raceDate: addDays(dateAt(now()), 10),
    });
    const open = async () => {
      const buyer = await makeUser({ coins: 8 });
      await unlockRaceCardAs(buyer.id, { raceCardId });
      return buyer.id;
    };
    await open();
    later(0, 1);
    await open();
    later(1);
    const held = await open();
    await holdEarningsOfBuyer(held);
    await reverseEarningsOfBuyer(await open());
    const expected = { raceCardId, amountCents: 2800, sales: 1, reducedCents: 0 };
    expect(await readGroups(id)).toMatchObject([
      { ...expected, status: "pending", sales: 2, amountCents: 5600, payableOn: "2026-09-15" },
      { ...expected, status: "held", heldReason: "test", payableOn: null },
      { ...expected, status: "reversed", payableOn: null },
    ]);
    freezeClock(instantAt("2026-09-15", "08:30"));
    expect((await readGroups(id)).slice(0, 2)).toMatchObject([
      { ...expected, status: "payable", payableOn: null },
      { ...expected, status: "pending", payableOn: "2026-09-15" },
    ]);
  });

  it("name the reduction for void races", async () => {
    const { id } = await makeTipster();
    await sell(id, 2);
    await voidTip(id);
    expect(await readGroups(id)).toMatchObject([
      { sales: 2, amountCents: 2800, reducedCents: 2800, reducedFor: "void" },
    ]);
  });

  it("contain no sale of another creator", async () => {
    const { id } = await makeTipster();
    const other = await makeTipster();
    const { raceCardId } = await publishRaceCard({ creatorId: other.id });
    await unlockRaceCardAs((await makeUser({ coins: 4 })).id, { raceCardId });
    expect(await readEarningsOfCards(id, [raceCardId])).toEqual([]);
    expect(await readEarningsOfCards(other.id, [raceCardId])).toHaveLength(1);
  });
});

describe("the earnings statement", () => {
  const app = new Hono<HttpEnv>().get("/statement.csv", earningsStatement);
  const requestStatement = async (userId: string | null, search = "") => {
    const cookie = userId
      ? (await startSession(userId))
          .getSetCookie()
          .map((line) => line.split(";")[0])
          .join("; ")
      : "";
    return await app.request(`/statement.csv${search}`, { headers: { cookie } });
  };

  it("is a CSV file with one row per sale", async () => {
    const { id } = await makeTipster();
    await sell(id, 2);
    const response = await requestStatement(id);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="furlong-earnings-2026-09-01.csv"',
    );
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const lines = (await response.text()).trimEnd().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toBe(
      "2026-09-01,08:00,Kenilworth,2026-09-02,3,4,28.00,pending,2026-09-15,,,,,",
    );
  });

  it("is limited to the race cards of one month on request", async () => {
    freezeClock(instantAt("2026-09-29", "08:00"));
    const { id } = await makeTipster();
    await sell(id, 2, { daysAhead: 1 });
    await sell(id, 1, { daysAhead: 2 });
    const readRaceDates = async (search: string) => {
      const lines = (await (await requestStatement(id, search)).text()).trimEnd().split("\r\n");
      return lines.slice(1).map((line) => line.split(",")[3]);
    };
    expect(await readRaceDates("?month=2026-09")).toEqual(["2026-09-30", "2026-09-30"]);
    expect(await readRaceDates("?month=2026-10")).toEqual(["2026-10-01"]);
    expect(await readRaceDates("?month=2026-11")).toEqual([]);
    const { headers } = await requestStatement(id, "?month=2026-10");
    expect(headers.get("content-disposition")).toContain("furlong-earnings-2026-10.csv");
    for (const month of ["", "2026-13", "last", "2026-09-01"])
      expect((await requestStatement(id, `?month=${month}`)).status).toBe(400);
  });

  it("shows the reduction of an earning for void races", async () => {
    const { id } = await makeTipster();
    await sell(id, 1);
    await voidTip(id);
    const response = await requestStatement(id);
    const lines = (await response.text()).trimEnd().split("\r\n");
    expect(lines[0]).toMatch(
      /,Reversed for,Less for void races \(R\),Less for refunded or lost payments \(R\),Reversed \(R\)$/,
    );
    expect(lines[1]).toMatch(/,3,4,14.00,pending,2026-09-15,,,14.00,,$/);
  });

  it("adds up to what the page says was earned, with what reduced or reversed the rest", async () => {
    const { id } = await makeTipster();
    const [, reversedBuyer, lackingBuyer] = await sell(id, 3);
    await reverseEarningsOfBuyer(reversedBuyer ?? "");
    const { rows } = await pool().query<{ id: number }>(
      "select id from sales where creator_id = $1 and buyer_id = $2",
      [id, lackingBuyer],
    );
    await transaction((tx) => setLackingCoins(tx, [{ saleId: rows[0]?.id ?? 0, coins: 2 }]));
    const lines = (await (await requestStatement(id)).text()).trimEnd().split("\r\n");
    const cells = lines.slice(1).map((line) => line.split(","));
    const { totalCents, reversedCents } = await readEarningsSummary(id);
    const sum = (column: number) =>
      cells.reduce((total, row) => total + Math.round(Number(row[column]) * 100), 0);
    expect([sum(11), sum(12), sum(13)]).toEqual([0, 1400, 2800]);
    expect([sum(6), 1400 + 2800]).toEqual([totalCents, reversedCents]);
    await transaction((tx) => setLackingCoins(tx, [{ saleId: rows[0]?.id ?? 0, coins: 0 }]));
  });

  it("escapes a venue name that a spreadsheet would run as a formula", async () => {
    const { id } = await makeTipster();
    await sell(id, 1);
    await pool().query("update venues set name = '=cmd|calc!A1' where slug = 'kenilworth'");
    const text = await (await requestStatement(id)).text();
    await pool().query("update venues set name = 'Kenilworth' where slug = 'kenilworth'");
    expect(text).toContain(",'=cmd|calc!A1,");
  });

  it("is only available to its creator", async () => {
    const { id } = await makeTipster();
    await sell(id, 2);
    expect((await requestStatement(null)).status).toBe(401);
    expect((await requestStatement((await makeUser()).id)).status).toBe(403);
    const another = await requestStatement((await makeTipster()).id);
    expect((await another.text()).trimEnd().split("\r\n")).toHaveLength(1);
  });

  it("is complete for 510 sales", async () => {
    const { id } = await makeTipster();
    const { raceCardId } = await publishRaceCard({ creatorId: id });
    for (const buyerId of await createBuyers(510)) await unlockRaceCardAs(buyerId, { raceCardId });
    expect((await (await requestStatement(id)).text()).trimEnd().split("\r\n")).toHaveLength(511);
  });
});

/** Inserts users with 4 coins each. Returns their ids. */
async function createBuyers(count: number): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `insert into users (email, name, created_at, updated_at)
     select 'many' || n || '@example.test', 'One of many', $2, $2 from generate_series(1, $1) n
     returning id`,
    [count, now()],
  );
  const ids = rows.map((row) => row.id);
  await transaction(async (tx) => {
    for (const id of ids) await openWallet(tx, id);
    await postToLedger(tx, "grant", "test:many", [
      { account: "granted", unit: "coin", amount: -4 * count },
      ...ids.map((owner) => ({ account: "wallet", owner, unit: "coin", amount: 4 }) as const),
    ]);
    await writeAudit(tx, { actorId: null, action: "grant-coins", subject: "test:many" });
  });
  return ids;
}
