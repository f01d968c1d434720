import * as v from "valibot";
import { creatorOrErrorResponse } from "#creators/creators.server.ts";
import { isCalendarDate } from "#domain/calendar.ts";
import { env } from "#platform/env.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { resendBatchNotice } from "./batch-notice.server.ts";

const bodySchema = v.object({
  to: v.optional(v.string()),
  tipData: v.object({
    venue: v.string(),
    race_date: v.pipe(v.string(), v.check(isCalendarDate)),
  }),
});

/**
 * POST /.netlify/functions/send-tip-notification: resends the operator's notice of the caller's own
 * batch. Names, races and times in the body are ignored.
 */
export async function sendTipNotification(c: HttpContext): Promise<Response> {
  const caller = await creatorOrErrorResponse(c);
  if (caller instanceof Response) return caller;
  const parsed = v.safeParse(bodySchema, await c.req.json().catch(() => null));
  if (!parsed.success)
    return jsonError(c, 400, "Send tipData with the venue and the race_date of your batch.");
  const { to, tipData } = parsed.output;
  if (to && to.trim().toLowerCase() !== env().mail.notificationTo.toLowerCase())
    return jsonError(c, 403, "This notice can only be sent to Furlong's notification address.");
  const result = await resendBatchNotice(caller.creator.id, {
    venueName: tipData.venue,
    raceDate: tipData.race_date,
  });
  if (result.ok) return c.json({ success: true });
  return result.refusal === "no-such-batch"
    ? jsonError(c, 404, "You have no tips for that venue and date.")
    : jsonError(c, 429, "This notice has just been sent.");
}
