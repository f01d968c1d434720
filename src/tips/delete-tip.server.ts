import { and, eq, isNull, sql } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { notifyCreator } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { announce } from "#platform/notify.server.ts";
import { describeTip } from "./describe-tip.server.ts";
import type { TipMarkAnswer } from "./hide-tip.server.ts";
import { tips } from "./tables.server.ts";
import { tipExists } from "./tip-exists.server.ts";

/**
 * Takes a tip off sale and off the lists for good, for the operator. It is marked, not erased: its
 * buyers keep it, and the creator's record keeps its result.
 */
export async function deleteTip(
  actorId: string,
  tipId: string,
  reason = "",
): Promise<TipMarkAnswer> {
  const at = now();
  if (!isId(tipId)) return { ok: false, refusal: "no-such-tip" };
  const answer = await transaction(async (tx): Promise<TipMarkAnswer> => {
    const deleted = await tx
      .update(tips)
      .set({ deletedAt: at, hiddenAt: sql`coalesce(${tips.hiddenAt}, ${at})` })
      .where(and(eq(tips.id, tipId), isNull(tips.deletedAt)))
      .returning({ id: tips.id });
    if (deleted.length > 0) {
      const details = reason.trim() ? { reason: reason.trim() } : {};
      await writeAudit(tx, { actorId, act: "delete-tip", subject: tipId, details });
      const described = await describeTip(tx, tipId);
      if (described)
        await notifyCreator(tx, {
          creatorId: described.creatorId,
          title: "A tip of yours was deleted",
          message: `we took your tip for ${described.tip} off sale and off the lists permanently. Its buyers keep it, and it still counts in your record.`,
          reason,
        });
    } else if (!(await tipExists(tx, tipId))) return { ok: false, refusal: "no-such-tip" };
    return { ok: true };
  });
  if (answer.ok) await announce("race-cards");
  return answer;
}
