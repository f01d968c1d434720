import { actionRefused, done, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { grantQuestion, refusalMessage } from "#admin-kit/admin-kit.ui.tsx";
import { formatCoins } from "#domain/coins.ts";
import { isId } from "#domain/id.ts";
import { readForm } from "#platform/read-form.ts";
import { readUsers } from "../users.server.ts";
import type { Route } from "./+types/user-grant.page.ts";
import { grantCoinsInput } from "./grant-coins.input.ts";
import { grantCoins } from "./grant-coins.server.ts";

export {
  AdminActionPage as default,
  adminActionInBrowser as clientAction,
  adminActionMeta as meta,
} from "#admin-kit/admin-kit.ui.tsx";

const refusals = refusalMessage({
  "no-such-user": ["User not found.", 404],
  closed: ["This account is closed.", 409],
  yourself: ["You can't grant coins to yourself.", 403],
});

/** Nothing to ask where the grant would be refused anyway. */
async function questionFor({ params, form }: { params: { userId: string }; form: FormData }) {
  const read = readForm(grantCoinsInput, form);
  const users = isId(params.userId) ? await readUsers([params.userId]) : null;
  const user = users?.get(params.userId);
  return read.ok && user ? grantQuestion(read.values.amountCoins, user.name) : null;
}

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params, form }) => {
      const read = readForm(grantCoinsInput, form);
      if (!read.ok) return actionRefused(`${Object.values(read.errors).join(". ")}.`, 422);
      if (!isId(params.userId)) return actionRefused(...refusals["no-such-user"]);
      const answer = await grantCoins(admin.id, params.userId, read.values);
      if (!answer.ok) return actionRefused(...refusals[answer.refusal]);
      const repaid =
        answer.repaidCoins > 0
          ? ` ${formatCoins(answer.repaidCoins)} were used to repay coins owed.`
          : "";
      return done(
        `Granted ${formatCoins(read.values.amountCoins)}. New balance: ${formatCoins(answer.balanceCoins)}.${repaid}`,
      );
    },
    { question: questionFor },
  );
