import * as v from "valibot";
import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import {
  RESOLVE_TRANSFER_CONFIRMATION,
  reasonInput,
  refusalMessages,
} from "#admin-kit/admin-kit.ui.tsx";
import { parseForm } from "#platform/parse-form.ts";
import { resolveTransfer } from "../transfers/resolve-transfer.server.ts";
import type { Route } from "./+types/transfer-resolve.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const REFUSALS = refusalMessages({
  "no-such-transfer": ["Transfer not found.", 404],
  yourself: ["This is your own payout. Another admin must resolve it.", 403],
  "not-contradicted": ["The books and Paystack agree about this transfer.", 409],
  "reason-missing": ["Please enter a reason.", 422],
});

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params, form }) => {
      const parsed = parseForm(v.object({ reason: reasonInput }), form);
      if (!parsed.ok) return actionRefused(Object.values(parsed.errors).join(" "), 422);
      const result = await resolveTransfer(admin.id, params.reference ?? "", parsed.values.reason);
      return result.ok
        ? actionSucceeded("Transfer resolved. The tipster's payouts can be paid.")
        : actionRefused(...REFUSALS[result.refusal]);
    },
    { confirmation: RESOLVE_TRANSFER_CONFIRMATION, needsCode: true },
  );
