import { asc, eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { mails } from "#platform/tables.server.ts";

/** Every mail that was asked for to an address, oldest first, sent or not. */
export async function mailsTo(email: string) {
  return await database()
    .select()
    .from(mails)
    .where(eq(mails.recipient, email))
    .orderBy(asc(mails.createdAt), asc(mails.id));
}

/** The path and query of the newest link to a page in the mails to an address. */
export async function linkTo(page: string, email: string): Promise<string> {
  const pattern = new RegExp(`https?://[^/\\s]+(${page}\\?\\S+)`);
  for (const mail of (await mailsTo(email)).reverse()) {
    const found = pattern.exec(mail.text ?? "")?.[1];
    if (found) return found;
  }
  throw new Error(`no link to ${page} in the mails to ${email}`);
}

/** The token of such a link. */
export async function tokenFor(page: string, email: string): Promise<string> {
  const path = await linkTo(page, email);
  return new URL(path, "http://localhost").searchParams.get("token") ?? "";
}
