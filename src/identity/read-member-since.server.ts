import { eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { users } from "./tables.server.ts";

/** When a user's account was opened. */
export async function readMemberSince(userId: string): Promise<Date> {
  const [user] = await database()
    .select({ createdAt: users.createdAt })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) throw new Error("there is no such user");
  return user.createdAt;
}
