import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { now } from "#platform/clock.server.ts";
import { database, pool } from "#platform/database.server.ts";
import type { PaymentState } from "./payment-state.ts";
import { orders } from "./tables.server.ts";

const STORED_WORDS: [PaymentState, string][] = [
  ["unpaid", "pending"],
  ["delayed", "awaiting_payment"],
  ["paid", "fulfilled"],
  ["failed", "failed"],
  ["expired", "expired"],
];

it.each(STORED_WORDS)(
  "an order that is %s is stored as %s, and read again",
  async (status, word) => {
    const [order] = await database()
      .insert(orders)
      .values({
        status,
        coinPackId: "starter_4",
        coinPackTitle: "Horse Chestnut",
        coins: 4,
        amountCents: 4000,
        idempotencyKey: randomUUID(),
        provider: "stripe",
        createdAt: now(),
        updatedAt: now(),
      })
      .returning();
    const id = order?.id ?? "";
    const { rows } = await pool().query("select status from orders where id = $1", [id]);
    expect(rows).toEqual([{ status: word }]);
    expect(await database().select().from(orders).where(eq(orders.id, id))).toMatchObject([
      { status },
    ]);
    await pool().query("delete from orders where id = $1", [id]);
  },
);
