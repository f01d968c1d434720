import { and, eq, isNull } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { announce } from "#platform/notify.server.ts";
import { tips } from "./tables.server.ts";
import { tipExists } from "./tip-exists.server.ts";

export type TipMarkAnswer = { ok: true } | { ok: false; refusal: "no-such-tip" | "deleted" };

/** Takes a tip off sale and off the lists, for the operator. Whoever could read it before still can. */
export async function hideTip(actorId: string, tipId: string): Promise<TipMarkAnswer> {
  if (!isId(tipId)) return { ok: false, refusal: "no-such-tip" };
  const answer = await transaction(async (tx): Promise<TipMarkAnswer> => {
    const hidden = await tx
      .update(tips)
      .set({ hiddenAt: now() })
      .where(and(eq(tips.id, tipId), isNull(tips.hiddenAt)))
      .returning({ id: tips.id });
    if (hidden.length > 0) await writeAudit(tx, { actorId, act: "hide-tip", subject: tipId });
    else if (!(await tipExists(tx, tipId))) return { ok: false, refusal: "no-such-tip" };
    return { ok: true };
  });
  if (answer.ok) await announce("race-cards");
  return answer;
}
