import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { isNameTaken, lockCreatorNames, normaliseDisplayName } from "../creator-names.server.ts";
import { creators } from "../tables.server.ts";
import type { EditCreatorInput } from "./edit-creator.input.ts";

export type EditCreatorResult =
  | { ok: true }
  | { ok: false; refusal: "not-a-creator" | "display-name-taken" };

/** Changes a creator's public profile. The slug stays the same, so that links keep working. */
export async function editCreator(
  creatorId: string,
  profile: EditCreatorInput,
): Promise<EditCreatorResult> {
  const displayName = normaliseDisplayName(profile.name);
  const result = await transaction(async (tx): Promise<EditCreatorResult> => {
    await lockCreatorNames(tx);
    if (await isNameTaken(tx, displayName, creatorId))
      return { ok: false, refusal: "display-name-taken" };
    const edited = await tx
      .update(creators)
      .set({
        displayName,
        specialization: profile.specialization,
        bio: profile.bio,
        updatedAt: now(),
      })
      .where(eq(creators.userId, creatorId))
      .returning({ id: creators.userId });
    return edited.length > 0 ? { ok: true } : { ok: false, refusal: "not-a-creator" };
  });
  if (result.ok) await publishUpdate("race-cards");
  return result;
}
