import { and, desc, eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { registeringBrowserHash } from "./browsers.server.ts";
import { emailLinks } from "./tables.server.ts";

/** The address this browser has last registered, and whether it is confirmed; null where it has not. */
export async function readRegistration(
  request: Request,
): Promise<{ email: string; isConfirmed: boolean } | null> {
  const browserHash = registeringBrowserHash(request);
  if (browserHash === null) return null;
  const [link] = await database()
    .select({ email: emailLinks.email, usedAt: emailLinks.usedAt })
    .from(emailLinks)
    .where(and(eq(emailLinks.browserHash, browserHash), eq(emailLinks.purpose, "confirm-email")))
    .orderBy(desc(emailLinks.createdAt))
    .limit(1);
  return link ? { email: link.email, isConfirmed: link.usedAt !== null } : null;
}
