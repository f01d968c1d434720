import * as v from "valibot";
import { act, done, refused } from "#admin-kit/admin-kit.server.ts";
import { reasonInput } from "#admin-kit/admin-kit.ui.tsx";
import { readForm } from "#platform/read-form.ts";
import { takeEarningBack } from "../review-earning.server.ts";
import type { Route } from "./+types/earning-take-back.page.ts";
import { REVIEW_REFUSALS } from "./review-words.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  act(args, async ({ admin, params, form }) => {
    const read = readForm(v.object({ reason: reasonInput }), form);
    if (!read.ok) return refused(Object.values(read.errors).join(" "), 422);
    const saleId = Number(params.saleId);
    if (!Number.isSafeInteger(saleId)) return refused(...REVIEW_REFUSALS["no-such-sale"]);
    const answer = await takeEarningBack(admin.id, saleId, read.values.reason);
    return answer.ok
      ? done("Taken back: this sale is not paid for. Its buyer keeps the card.")
      : refused(...REVIEW_REFUSALS[answer.refusal]);
  });
