import { and, eq, or } from "drizzle-orm";
import * as v from "valibot";
import { findViewerByRequest } from "#accounts/accounts.server.ts";
import { emailInput } from "#accounts/accounts.ui.tsx";
import { isId } from "#domain/id.ts";
import { database, transaction } from "#platform/database.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { isWithinLimit, tryConsumeEmailLimit } from "#platform/rate-limits.server.ts";
import { validationMessage } from "#platform/validation-message.ts";
import { enqueueReceipt } from "./purchase-emails.server.ts";
import { coinPurchases } from "./tables.server.ts";

const receiptInput = v.object({
  email: v.optional(emailInput),
  transactionId: v.pipe(v.string("transactionId is missing"), v.minLength(1), v.maxLength(250)),
});

const RESEND_LIMIT = { max: 5, seconds: 60 * 60 };

/**
 * POST /.netlify/functions/send-purchase-receipt: resends the receipt of the caller's own purchase to the
 * caller's own address. `transactionId` is the id of the checkout session, the payment or the purchase.
 */
export async function sendPurchaseReceipt(c: HttpContext): Promise<Response> {
  const parsed = v.safeParse(receiptInput, await c.req.json().catch(() => null));
  if (!parsed.success) return jsonError(c, 400, validationMessage(parsed.issues));
  const { email, transactionId } = parsed.output;
  const viewer = await findViewerByRequest(c.req.raw);
  if (!viewer) return jsonError(c, 401, "Please log in first.");
  if (email !== undefined && email !== viewer.email)
    return jsonError(c, 403, "We only send receipts to your own email address.");
  const purchase = await findUserPurchase(viewer.id, transactionId);
  if (!purchase) return jsonError(c, 404, "Purchase not found.");
  if (
    !(await isWithinLimit(`receipt:${viewer.id}`, RESEND_LIMIT)) ||
    !(await tryConsumeEmailLimit(viewer.email))
  )
    return jsonError(c, 429, "We've just sent that receipt. Check your inbox and spam folder.");
  await transaction((tx) => enqueueReceipt(tx, purchase));
  return c.json({ ok: true });
}

async function findUserPurchase(userId: string, reference: string) {
  const [purchase] = await database()
    .select()
    .from(coinPurchases)
    .where(
      and(
        eq(coinPurchases.userId, userId),
        or(
          eq(coinPurchases.sessionId, reference),
          eq(coinPurchases.paymentId, reference),
          isId(reference) ? eq(coinPurchases.id, reference) : undefined,
        ),
      ),
    );
  return purchase;
}
