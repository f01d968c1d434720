import * as v from "valibot";
import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import {
  closeAccountConfirmation,
  reasonInput,
  refusalMessages,
} from "#admin-kit/admin-kit.ui.tsx";
import { formatCoins, formatRand } from "#domain/coins.ts";
import { isId } from "#domain/id.ts";
import { parseForm } from "#platform/parse-form.ts";
import { closeUserAccount } from "../profile/close-user-account.server.ts";
import type { Route } from "./+types/user-close.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const refusals = refusalMessages({
  "no-such-user": ["User not found.", 404],
  "has-a-role": [
    "This account has a role. Suspend the tipster or analyst, or remove the admin, first.",
    409,
  ],
  "has-unpaid-earnings": ["They are still owed money. Pay it first.", 409],
  disputed: ["One of their payments is in dispute. Wait until it is resolved.", 409],
  "reason-missing": ["Please give the reason.", 422],
});

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params, form }) => {
      const parsed = parseForm(v.object({ reason: reasonInput }), form);
      if (!parsed.ok) return actionRefused(Object.values(parsed.errors).join(" "), 422);
      if (!isId(params.userId)) return actionRefused(...refusals["no-such-user"]);
      const result = await closeUserAccount(admin.id, params.userId, parsed.values.reason);
      if (!result.ok) return actionRefused(...refusals[result.refusal]);
      return actionSucceeded(
        [
          "Account closed.",
          ...(result.refundedCoins > 0
            ? [
                `${formatCoins(result.refundedCoins)} refunded: ${formatRand(result.refundedCents)}.`,
              ]
            : []),
          ...(result.lapsedCoins > 0 ? [`${formatCoins(result.lapsedCoins)} lapsed.`] : []),
        ].join(" "),
      );
    },
    { confirmation: closeAccountConfirmation("this user", null) },
  );
