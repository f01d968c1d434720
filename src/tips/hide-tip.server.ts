import { and, eq, isNull } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { notifyCreator } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { announce } from "#platform/notify.server.ts";
import { describeTip } from "./describe-tip.server.ts";
import { tips } from "./tables.server.ts";
import { tipExists } from "./tip-exists.server.ts";

export type TipMarkAnswer = { ok: true } | { ok: false; refusal: "no-such-tip" | "deleted" };

/**
 * Takes a tip off sale and off the lists, for the operator. Everyone who could read it still can. Its creator
 * is told, with the reason where one is given.
 */
export async function hideTip(actorId: string, tipId: string, reason = ""): Promise<TipMarkAnswer> {
  if (!isId(tipId)) return { ok: false, refusal: "no-such-tip" };
  const answer = await transaction(async (tx): Promise<TipMarkAnswer> => {
    const hidden = await tx
      .update(tips)
      .set({ hiddenAt: now() })
      .where(and(eq(tips.id, tipId), isNull(tips.hiddenAt)))
      .returning({ id: tips.id });
    if (hidden.length > 0) {
      const details = reason.trim() ? { reason: reason.trim() } : {};
      await writeAudit(tx, { actorId, act: "hide-tip", subject: tipId, details });
      const described = await describeTip(tx, tipId);
      if (described)
        await notifyCreator(tx, {
          creatorId: described.creatorId,
          title: "A tip of yours was hidden",
          message: `we took your tip for ${described.tip} off sale and off the lists. Its buyers keep it, and it still counts in your record.`,
          reason,
        });
    } else if (!(await tipExists(tx, tipId))) return { ok: false, refusal: "no-such-tip" };
    return { ok: true };
  });
  if (answer.ok) await announce("race-cards");
  return answer;
}
