import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { isId } from "#domain/id.ts";
import { transaction } from "#platform/database.server.ts";
import { announce } from "#platform/notify.server.ts";
import type { TipMarkAnswer } from "./hide-tip.server.ts";
import { tips } from "./tables.server.ts";
import { tipExists } from "./tip-exists.server.ts";

/** Puts a hidden tip back on its card and the lists, for the operator; a deleted one stays away. */
export async function showTip(actorId: string, tipId: string): Promise<TipMarkAnswer> {
  if (!isId(tipId)) return { ok: false, refusal: "no-such-tip" };
  const answer = await transaction(async (tx): Promise<TipMarkAnswer> => {
    const shown = await tx
      .update(tips)
      .set({ hiddenAt: null })
      .where(and(eq(tips.id, tipId), isNotNull(tips.hiddenAt), isNull(tips.deletedAt)))
      .returning({ id: tips.id });
    if (shown.length > 0) {
      await writeAudit(tx, { actorId, act: "show-tip", subject: tipId });
      return { ok: true };
    }
    const standing = await tipExists(tx, tipId);
    if (!standing) return { ok: false, refusal: "no-such-tip" };
    return standing.isDeleted ? { ok: false, refusal: "deleted" } : { ok: true };
  });
  if (answer.ok) await announce("race-cards");
  return answer;
}
