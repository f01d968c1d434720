import { asc, eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { emails } from "#platform/tables.server.ts";

/** Returns every email queued for an address, oldest first, sent or not. */
export async function readEmailsTo(email: string) {
  return await database()
    .select()
    .from(emails)
    .where(eq(emails.recipient, email))
    .orderBy(asc(emails.createdAt), asc(emails.id));
}

/** Returns the path and query of the newest link to a page in the emails to an address. */
export async function findEmailLink(page: string, email: string): Promise<string> {
  const pattern = new RegExp(`https?://[^/\\s]+(${page}\\?\\S+)`);
  for (const sentEmail of (await readEmailsTo(email)).reverse()) {
    const found = pattern.exec(sentEmail.text ?? "")?.[1];
    if (found) return found;
  }
  throw new Error(`no link to ${page} in the emails to ${email}`);
}

/** Returns the token of the newest link to a page. */
export async function findEmailToken(page: string, email: string): Promise<string> {
  const path = await findEmailLink(page, email);
  return new URL(path, "http://localhost").searchParams.get("token") ?? "";
}
