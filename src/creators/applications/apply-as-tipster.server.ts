import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { isNameTaken, normaliseDisplayName } from "../creator-names.server.ts";
import { tipsterApplications } from "../tables.server.ts";
import type { ApplicationInput } from "./application.input.ts";
import { applicationNotice } from "./application-notice.email.tsx";

export type ApplyResult = { ok: true } | { ok: false; refusal: "display-name-taken" };

/**
 * Stores an application for the operator's decision and notifies the operator. Each address has at
 * most one open application: applying again has no effect and returns the same result.
 */
export async function applyAsTipster(
  application: ApplicationInput,
  /**
   * When the applicant confirmed being 18 or older and agreed to the terms; null if the form did
   * not ask.
   */
  { agreedAt = null }: { agreedAt?: Date | null } = {},
): Promise<ApplyResult> {
  const displayName = normaliseDisplayName(application.displayName);
  return await transaction(async (tx): Promise<ApplyResult> => {
    if (await isNameTaken(tx, displayName)) return { ok: false, refusal: "display-name-taken" };
    const [filed] = await tx
      .insert(tipsterApplications)
      .values({ ...application, displayName, agreedAt, createdAt: now() })
      .onConflictDoNothing()
      .returning({ id: tipsterApplications.id });
    if (filed)
      await enqueueEmail(tx, {
        to: env().mail.notificationTo,
        kind: "application-notice",
        ...(await applicationNotice(filed.id, { ...application, displayName })),
      });
    return { ok: true };
  });
}
