import type { HttpContext } from "#platform/http/http.server.ts";
import { readMailbox } from "#platform/mail/mailer.server.ts";

/** Demo only: returns every email, newest first. */
export async function demoMail(c: HttpContext): Promise<Response> {
  c.header("Cache-Control", "no-store");
  return c.json(await readMailbox());
}
