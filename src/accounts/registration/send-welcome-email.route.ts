import * as v from "valibot";
import { formatCardPrice } from "#domain/coin-packs.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { consumeEmailLimit } from "#platform/rate-limits.server.ts";
import { readPrices } from "#wallet/wallet.server.ts";
import { emailInput } from "../accounts.input.ts";
import { TOO_MANY_EMAILS } from "../messages.ts";
import { findViewerByRequest, type Viewer } from "../viewer.server.ts";
import { sendConfirmationAgain } from "./send-confirmation.server.ts";
import { renderWelcomeEmail } from "./welcome.email.tsx";

/** `name` is accepted for compatibility and ignored. */
const input = v.object({ email: emailInput, name: v.optional(v.string()) });

/**
 * POST /.netlify/functions/send-welcome-email-sendgrid: sends the caller's own confirmation email
 * again or, if the address is confirmed, the welcome email.
 */
export async function sendWelcomeEmail(c: HttpContext): Promise<Response> {
  const viewer = await findViewerByRequest(c.req.raw);
  if (!viewer) return jsonError(c, 401, "Please log in first.");
  const parsed = v.safeParse(input, await c.req.json().catch(() => null));
  if (!parsed.success) return jsonError(c, 400, "Send the email address of your own account.");
  // Does not reveal whether the address has an account.
  if (parsed.output.email !== viewer.email)
    return jsonError(c, 403, "We only send this email to your own address.");
  const retryAfterSeconds = await consumeEmailLimit(viewer.email);
  if (retryAfterSeconds !== null) {
    c.header("Retry-After", String(retryAfterSeconds));
    return jsonError(c, 429, TOO_MANY_EMAILS);
  }
  await sendEmailTo(viewer);
  c.header("Cache-Control", "no-store");
  return c.json({ ok: true });
}

async function sendEmailTo({ id, email, name, emailVerified }: Viewer): Promise<void> {
  await transaction(async (tx) => {
    if (!emailVerified) return await sendConfirmationAgain(tx, id);
    const content = await renderWelcomeEmail({
      name,
      cardPrice: formatCardPrice(await readPrices(now(), tx)),
      homeUrl: env().appUrl,
    });
    await enqueueEmail(tx, { to: email, userId: id, kind: "welcome", ...content });
  });
}
