import { and, eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { tipsterApplications } from "./tables.server.ts";

/** When the application of an address was sent that nobody has decided yet; null where there is none. */
export async function readWaitingApplication(email: string): Promise<{ sentAt: Date } | null> {
  const [application] = await database()
    .select({ sentAt: tipsterApplications.createdAt })
    .from(tipsterApplications)
    .where(and(eq(tipsterApplications.email, email), eq(tipsterApplications.status, "applied")));
  return application ?? null;
}
