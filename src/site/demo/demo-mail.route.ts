import type { HttpContext } from "#platform/http/http.server.ts";
import { readMailbox } from "#platform/mail/mailer.server.ts";

/** Demo only: every mail that was sent, newest first. */
export async function demoMail(c: HttpContext): Promise<Response> {
  c.header("Cache-Control", "no-store");
  return c.json(await readMailbox());
}
