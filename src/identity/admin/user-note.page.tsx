import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { refusalMessages } from "#admin-kit/admin-kit.ui.tsx";
import { isId } from "#domain/id.ts";
import { parseForm } from "#platform/parse-form.ts";
import type { Route } from "./+types/user-note.page.ts";
import { userNoteInput } from "./user-note.input.ts";
import { writeUserNote } from "./write-user-note.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const refusals = refusalMessages({
  "no-such-user": ["User not found.", 404],
  closed: ["This account is closed.", 409],
});

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params, form }) => {
    const parsed = parseForm(userNoteInput, form);
    if (!parsed.ok) return actionRefused(`${Object.values(parsed.errors).join(". ")}.`, 422);
    if (!isId(params.userId)) return actionRefused(...refusals["no-such-user"]);
    const result = await writeUserNote(admin.id, params.userId, parsed.values);
    if (!result.ok) return actionRefused(...refusals[result.refusal]);
    return actionSucceeded(
      parsed.values.kind === "complaint" ? "Complaint recorded." : "Note saved.",
    );
  });
