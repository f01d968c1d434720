import { writeAudit } from "#audit/audit.server.ts";
import { isId } from "#domain/id.ts";
import { transaction } from "#platform/database.server.ts";
import { resolveAlert as resolve } from "#platform/list-alerts.server.ts";

export type ResolveAlertAnswer = { ok: true } | { ok: false; refusal: "no-such-alert" };

/** Notes, for the operator, that an alert has been dealt with. Twice is once. */
export async function resolveAlert(actorId: string, alertId: string): Promise<ResolveAlertAnswer> {
  if (!isId(alertId)) return { ok: false, refusal: "no-such-alert" };
  return await transaction(async (tx): Promise<ResolveAlertAnswer> => {
    const alert = await resolve(tx, alertId);
    if (alert === null) return { ok: false, refusal: "no-such-alert" };
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
