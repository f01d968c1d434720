import { eq } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { isId } from "#domain/id.ts";
import { database, transaction } from "#platform/database.server.ts";
import { withinLimit } from "#platform/rate-limits.server.ts";
import { enqueueReceipt } from "./send-purchase-mail.server.ts";
import { coinPurchases } from "./tables.server.ts";

export type SendReceiptAnswer =
  | { ok: true }
  | { ok: false; refusal: "no-such-purchase" | "just-sent" };

/** A second press of the button is not a second mail. */
const AGAIN = { max: 1, seconds: 60 };

/** Mails the receipt of a purchase once more to its buyer, for the operator, with the amounts of its order. */
export async function sendReceiptAgain(
  actorId: string,
  purchaseId: string,
): Promise<SendReceiptAnswer> {
  const [purchase] = isId(purchaseId)
    ? await database().select().from(coinPurchases).where(eq(coinPurchases.id, purchaseId))
    : [];
  if (!purchase) return { ok: false, refusal: "no-such-purchase" };
  if (!(await withinLimit(`receipt-again:${purchaseId}`, AGAIN)))
    return { ok: false, refusal: "just-sent" };
  await transaction(async (tx) => {
    await enqueueReceipt(tx, purchase);
    await writeAudit(tx, { actorId, act: "send-receipt", subject: purchaseId });
  });
  return { ok: true };
}
