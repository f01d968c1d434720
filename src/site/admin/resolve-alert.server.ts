import { isId } from "#domain/id.ts";
import { readPurchasesById } from "#payments/payments.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { transaction } from "#platform/database.server.ts";
import { findAlert, resolveAlert as resolve } from "#platform/list-alerts.server.ts";
import { isStillOpen } from "./describe-alerts.server.ts";

export type ResolveAlertResult =
  | { ok: true }
  | { ok: false; refusal: "no-such-alert" | "still-open" | "raised-again" };

/**
 * Marks an alert as resolved, unless what it stands for is still open, or it was raised again since the admin was shown
 * it, with a message that the admin has not read. Idempotent.
 */
export async function resolveAlert(
  actorId: string,
  alertId: string,
  shownRaisedAt: Date,
): Promise<ResolveAlertResult> {
  if (!isId(alertId)) return { ok: false, refusal: "no-such-alert" };
  return await transaction(async (tx): Promise<ResolveAlertResult> => {
    const found = await findAlert(tx, alertId);
    if (found && isStillOpen(found, await readPurchasesById([found.subject])))
      return { ok: false, refusal: "still-open" };
    const alert = await resolve(tx, alertId, shownRaisedAt);
    if (alert === null) return { ok: false, refusal: "no-such-alert" };
    if (alert === "raised-again") return { ok: false, refusal: "raised-again" };
    if (alert !== "resolved")
      await writeAudit(tx, {
        actorId,
        action: "resolve-alert",
        subject: alertId,
        details: { kind: alert.kind, about: alert.subject, message: alert.message },
      });
    return { ok: true };
  });
}
