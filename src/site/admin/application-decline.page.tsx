import * as v from "valibot";
import { readForm } from "#identity/identity.ui.tsx";
import { declineApplication } from "#tipping/tipping.server.ts";
import type { Route } from "./+types/application-decline.page.ts";
import { act, done, refused } from "./act.server.ts";
import { APPLICATION_REFUSALS } from "./application-words.ts";
import { reasonInput } from "./reason.input.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "./act-page.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  act(args, async ({ admin, params, form }) => {
    const read = readForm(reasonForm, form);
    if (!read.ok) return refused(Object.values(read.errors).join(" "), 422);
    const answer = await declineApplication(admin.id, params.applicationId, read.values.reason);
    if (!answer.ok) return refused(...APPLICATION_REFUSALS[answer.refusal]);
    return done("Declined. The applicant is told, with the reason.");
  });

const reasonForm = v.object({ reason: reasonInput });
