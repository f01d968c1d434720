import { and, eq } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { credentials } from "./tables.server.ts";

/** The hash of a user's password as it stands; null where there is none. */
export async function passwordHashOf(
  userId: string,
  on: Pick<Tx, "select"> = database(),
): Promise<string | null> {
  const [credential] = await on
    .select({ password: credentials.password })
    .from(credentials)
    .where(and(eq(credentials.userId, userId), eq(credentials.providerId, "credential")));
  return credential?.password ?? null;
}
