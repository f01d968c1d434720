import { and, eq, isNull, ne } from "drizzle-orm";
import type { Tx } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { userRoles, users } from "../tables.server.ts";
import { type AdminsChange, renderAdminsChangedEmail } from "./admins-changed.email.tsx";

/**
 * Emails all admins about a change to the set of admins, in the caller's transaction. Includes the admin
 * who made it, because their account may have been misused. Omits the person concerned.
 */
export async function notifyAdmins(
  tx: Tx,
  change: AdminsChange,
  { exceptUserId }: { exceptUserId?: string } = {},
): Promise<void> {
  const admins = await tx
    .select({ id: users.id, email: users.email })
    .from(userRoles)
    .innerJoin(users, eq(users.id, userRoles.userId))
    .where(
      and(
        eq(userRoles.role, "admin"),
        isNull(users.closedAt),
        exceptUserId ? ne(users.id, exceptUserId) : undefined,
      ),
    )
    .orderBy(users.id);
  if (admins.length === 0) return;
  const content = await renderAdminsChangedEmail(change);
  for (const { id, email } of admins)
    await enqueueEmail(tx, { to: email, userId: id, kind: "admins-changed", ...content });
}
