import { and, asc, desc, eq, sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database } from "#platform/database.server.ts";
import { isAfterCursor, toPage } from "#platform/keyset-paging.server.ts";
import { fullTextQuery } from "#platform/query-parts.server.ts";
import { tipsterApplications } from "../tables.server.ts";

export type ApplicationStatus = "applied" | "approved" | "declined";
export const APPLICATION_ORDERS = ["newest", "oldest"] as const;
export type ApplicationOrder = (typeof APPLICATION_ORDERS)[number];
export type Application = typeof tipsterApplications.$inferSelect;

/**
 * Returns a page of applications for an admin, starting after the cursor, optionally filtered by name or
 * address.
 */
export async function listApplications({
  status,
  search,
  order = "newest",
  cursor,
  limit = 20,
}: {
  status?: ApplicationStatus;
  search?: string | null;
  order?: ApplicationOrder;
  cursor?: string | null;
  limit?: number;
} = {}): Promise<{ applications: Application[]; next: string | null }> {
  const words = fullTextQuery(search);
  const direction = order === "newest" ? desc : asc;
  const rows = await database()
    .select()
    .from(tipsterApplications)
    .where(
      and(
        words
          ? sql`to_tsvector('simple', full_name || ' ' || display_name || ' ' || email) @@ ${words}::tsquery`
          : undefined,
        status ? eq(tipsterApplications.status, status) : undefined,
        isAfterCursor(tipsterApplications.createdAt, tipsterApplications.id, cursor, order),
      ),
    )
    .orderBy(direction(tipsterApplications.createdAt), direction(tipsterApplications.id))
    .limit(limit + 1);
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { applications: page, next };
}

/** The digits of a phone number without its country code or leading zero. */
const NATIONAL_DIGITS = 9;

/** Returns the applications with this phone number, written in any way, newest first. */
export async function listApplicationsByPhone(
  phoneNumber: string,
  limit: number,
): Promise<Application[]> {
  const digits = /^[\d\s()+.-]+$/.test(phoneNumber) ? phoneNumber.replace(/\D/g, "") : "";
  if (digits.length < NATIONAL_DIGITS) return [];
  return await database()
    .select()
    .from(tipsterApplications)
    .where(
      sql`right(regexp_replace(phone_number, '\\D', '', 'g'), ${NATIONAL_DIGITS}) = ${digits.slice(-NATIONAL_DIGITS)}`,
    )
    .orderBy(desc(tipsterApplications.createdAt), desc(tipsterApplications.id))
    .limit(limit);
}

/** Returns the number of undecided applications. */
export async function countOpenApplications(): Promise<number> {
  return await database().$count(tipsterApplications, eq(tipsterApplications.status, "applied"));
}

/** Returns the application with this id, or null. */
export async function findApplication(id: string): Promise<Application | null> {
  if (!isId(id)) return null;
  const [application] = await database()
    .select()
    .from(tipsterApplications)
    .where(eq(tipsterApplications.id, id));
  return application ?? null;
}

/** Returns when the undecided application of an address was sent, or null. */
export async function findOpenApplication(email: string): Promise<{ sentAt: Date } | null> {
  const [application] = await database()
    .select({ sentAt: tipsterApplications.createdAt })
    .from(tipsterApplications)
    .where(and(eq(tipsterApplications.email, email), eq(tipsterApplications.status, "applied")));
  return application ?? null;
}
