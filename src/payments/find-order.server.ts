import { eq } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { orders } from "./tables.server.ts";

export type Order = typeof orders.$inferSelect;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The order with this id, whatever text is given; with a transaction it is locked for it. */
export async function findOrder(orderId: string | null, tx?: Tx): Promise<Order | undefined> {
  if (orderId === null || !UUID.test(orderId)) return undefined;
  const query = (tx ?? database()).select().from(orders).where(eq(orders.id, orderId));
  const [order] = tx ? await query.for("update") : await query;
  return order;
}
