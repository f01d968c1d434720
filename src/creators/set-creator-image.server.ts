import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { announce } from "#platform/notify.server.ts";
import { creators } from "./tables.server.ts";

export type SetCreatorImageAnswer =
  | { ok: true; previous: string | null }
  | { ok: false; refusal: "not-a-creator" | "suspended" };

/**
 * Sets the photo a creator is shown with (its address here), or none. Answers what it replaces. While
 * they are suspended a photo can only be taken away.
 */
export async function setCreatorImage(
  creatorId: string,
  profileImage: string | null,
): Promise<SetCreatorImageAnswer> {
  const answer = await transaction(async (tx): Promise<SetCreatorImageAnswer> => {
    const [creator] = await tx
      .select({ profileImage: creators.profileImage, suspendedAt: creators.suspendedAt })
      .from(creators)
      .where(eq(creators.userId, creatorId))
      .for("no key update");
    if (!creator) return { ok: false, refusal: "not-a-creator" };
    if (creator.suspendedAt && profileImage) return { ok: false, refusal: "suspended" };
    await tx
      .update(creators)
      .set({ profileImage, updatedAt: now() })
      .where(eq(creators.userId, creatorId));
    return { ok: true, previous: creator.profileImage };
  });
  if (answer.ok) await announce("race-cards");
  return answer;
}
