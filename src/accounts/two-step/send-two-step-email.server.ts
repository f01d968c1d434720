import type { Tx } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { renderTwoStepEmail, type TwoStepEvent } from "./two-step.email.tsx";

/**
 * Tells the account owner by email about a change to two-step login, so that misuse is noticed.
 */
export async function sendTwoStepEmail(
  tx: Tx,
  user: { id: string; name: string; email: string },
  event: TwoStepEvent,
): Promise<void> {
  const resetUrl = `${env().appUrl}/forgot-password`;
  const content = await renderTwoStepEmail({ name: user.name, event, resetUrl });
  await enqueueEmail(tx, { to: user.email, userId: user.id, kind: "two-step-changed", ...content });
}
