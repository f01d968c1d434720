import { and, eq, isNotNull, or, sql } from "drizzle-orm";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction, violatedConstraint } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { venues } from "./tables.server.ts";
import type { VenueInput } from "./venue.input.ts";

export type SaveVenueResult =
  | { ok: true; venueId: string }
  | { ok: false; refusal: "name-taken" | "no-such-venue" }
  /** Another venue has the address that the name would give, because their names are alike or it was renamed. */
  | { ok: false; refusal: "address-taken"; slug: string; venueName: string };

const NAME_CONSTRAINTS = new Set(["venues_name", "venues_slug_key"]);

/** Runs a write that sets a venue's name. Returns a refusal when the name is taken. */
export async function withNameConflictRefusal(
  write: () => Promise<SaveVenueResult>,
): Promise<SaveVenueResult> {
  try {
    const result = await write();
    if (result.ok) await publishUpdate("race-cards");
    return result;
  } catch (error) {
    if (NAME_CONSTRAINTS.has(violatedConstraint(error) ?? ""))
      return { ok: false, refusal: "name-taken" };
    throw error;
  }
}

/** Adds a venue for an admin. If a deleted venue has the same name, restores it with its history. */
export async function addVenue(actorId: string, input: VenueInput): Promise<SaveVenueResult> {
  const at = now();
  const slug = toSlug(input.name);
  const result = await withNameConflictRefusal(() =>
    transaction(async (tx) => {
      const [restored] = await tx
        .update(venues)
        .set({ ...input, deletedAt: null, updatedAt: at })
        .where(
          and(
            eq(sql`lower(${venues.name})`, sql`lower(${input.name})`),
            isNotNull(venues.deletedAt),
          ),
        )
        .returning({ id: venues.id });
      const [venue] = restored
        ? [restored]
        : await tx
            .insert(venues)
            .values({ ...input, slug, createdAt: at, updatedAt: at })
            .returning({ id: venues.id });
      if (!venue) throw new Error("a venue was not written");
      await writeAudit(tx, { actorId, action: "add-venue", subject: venue.id, details: input });
      return { ok: true, venueId: venue.id };
    }),
  );
  if (result.ok || result.refusal !== "name-taken") return result;
  const conflicts = await database()
    .select({ name: venues.name })
    .from(venues)
    .where(or(eq(venues.slug, slug), eq(sql`lower(${venues.name})`, sql`lower(${input.name})`)));
  const isNameTaken = conflicts.some(({ name }) => name.toLowerCase() === input.name.toLowerCase());
  const venueName = conflicts[0]?.name;
  return isNameTaken || venueName === undefined
    ? result
    : { ok: false, refusal: "address-taken", slug, venueName };
}

function toSlug(name: string): string {
  const slug = name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return slug || "venue";
}
