import * as v from "valibot";
import { transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import { countMail } from "#platform/rate-limits.server.ts";
import { emailInput } from "../identity.input.ts";
import { TOO_MANY_MAILS } from "../messages.ts";
import { readViewer, type Viewer } from "../viewer.server.ts";
import { sendConfirmationAgain } from "./send-confirmation.server.ts";
import { welcomeMail } from "./welcome.email.tsx";

/** The name is the account's own, whatever a client says it is. */
const input = v.object({ email: emailInput, name: v.optional(v.string()) });

/**
 * POST /.netlify/functions/send-welcome-email-sendgrid: the caller's own confirmation mail once more, or,
 * where the address is confirmed, the welcome. Nobody can have it sent to anybody else.
 */
export async function sendWelcomeEmail(c: HttpContext): Promise<Response> {
  const viewer = await readViewer(c.req.raw);
  if (!viewer) return jsonError(c, 401, "Please log in first.");
  const read = v.safeParse(input, await c.req.json().catch(() => null));
  if (!read.success) return jsonError(c, 400, "Send the email address of your own account.");
  // The same words whether or not somebody has that address.
  if (read.output.email !== viewer.email)
    return jsonError(c, 403, "We only send this email to your own address.");
  const retryAfterSeconds = await countMail(viewer.email);
  if (retryAfterSeconds !== null) {
    c.header("Retry-After", String(retryAfterSeconds));
    return jsonError(c, 429, TOO_MANY_MAILS);
  }
  await send(viewer);
  c.header("Cache-Control", "no-store");
  return c.json({ ok: true });
}

async function send({ id, email, name, emailVerified }: Viewer): Promise<void> {
  await transaction(async (tx) => {
    if (!emailVerified) return await sendConfirmationAgain(tx, id);
    const mail = await welcomeMail({ name, home: env().appUrl });
    await enqueueMail(tx, { to: email, userId: id, kind: "welcome", ...mail });
  });
}
