import { eq } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { tipsterApplications } from "../tables.server.ts";
import type { DecideApplicationResult } from "./approve-application.server.ts";
import { renderDeclineEmail } from "./decline.email.tsx";

/** Declines an application for an admin and emails the applicant the reason. */
export async function declineApplication(
  actorId: string,
  applicationId: string,
  reason: string,
): Promise<DecideApplicationResult> {
  if (!isId(applicationId)) return { ok: false, refusal: "no-such-application" };
  return await transaction(async (tx): Promise<DecideApplicationResult> => {
    const [application] = await tx
      .select()
      .from(tipsterApplications)
      .where(eq(tipsterApplications.id, applicationId))
      .for("update");
    if (!application) return { ok: false, refusal: "no-such-application" };
    if (application.status === "approved") return { ok: false, refusal: "already-approved" };
    if (application.status === "declined") return { ok: true };
    await tx
      .update(tipsterApplications)
      .set({
        status: "declined",
        decidedAt: now(),
        decidedBy: actorId,
        reason: reason.trim() || null,
      })
      .where(eq(tipsterApplications.id, applicationId));
    await writeAudit(tx, {
      actorId,
      action: "decline-application",
      subject: applicationId,
      details: { reason: reason.trim() },
    });
    await enqueueEmail(tx, {
      to: application.email,
      kind: "tipster-declined",
      ...(await renderDeclineEmail({ name: application.fullName, reason: reason.trim() })),
    });
    return { ok: true };
  });
}
