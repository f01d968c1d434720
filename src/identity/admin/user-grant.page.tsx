import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { grantCoinsConfirmation, refusalMessages } from "#admin-kit/admin-kit.ui.tsx";
import { formatCoins } from "#domain/coins.ts";
import { isId } from "#domain/id.ts";
import { parseForm } from "#platform/parse-form.ts";
import { readUsers } from "../users.server.ts";
import type { Route } from "./+types/user-grant.page.ts";
import { grantCoinsInput } from "./grant-coins.input.ts";
import { grantCoins } from "./grant-coins.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const refusals = refusalMessages({
  "no-such-user": ["User not found.", 404],
  closed: ["This account is closed.", 409],
  yourself: ["You can't grant coins to yourself.", 403],
});

/** No confirmation is needed if the grant would be refused anyway. */
async function buildConfirmation({ params, form }: { params: { userId: string }; form: FormData }) {
  const parsed = parseForm(grantCoinsInput, form);
  const users = isId(params.userId) ? await readUsers([params.userId]) : null;
  const user = users?.get(params.userId);
  return parsed.ok && user ? grantCoinsConfirmation(parsed.values.amountCoins, user.name) : null;
}

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params, form }) => {
      const parsed = parseForm(grantCoinsInput, form);
      if (!parsed.ok) return actionRefused(`${Object.values(parsed.errors).join(". ")}.`, 422);
      if (!isId(params.userId)) return actionRefused(...refusals["no-such-user"]);
      const result = await grantCoins(admin.id, params.userId, parsed.values);
      if (!result.ok) return actionRefused(...refusals[result.refusal]);
      const repaid =
        result.repaidCoins > 0
          ? ` ${formatCoins(result.repaidCoins)} were used to repay coins owed.`
          : "";
      return actionSucceeded(
        `Granted ${formatCoins(parsed.values.amountCoins)}. New balance: ${formatCoins(result.balanceCoins)}.${repaid}`,
      );
    },
    { confirmation: buildConfirmation, needsCode: true },
  );
