import { data, Form } from "react-router";
import * as v from "valibot";
import { requireCreator } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import { markResult } from "../mark-results.server.ts";
import type { Route } from "./+types/result.page.ts";
import type { MarkResultResponse } from "./result-form.ui.tsx";
import { RESULT_REFUSALS } from "./result-refusals.ts";

const input = v.object({
  tipId: v.pipe(v.string(), v.check(isId)),
  result: v.picklist(["won", "lost"]),
  // Requests the confirmation page, which replaces the dialog without JavaScript.
  ask: v.optional(v.string()),
});

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Result", description: "Enter the result of a tip.", isPrivate: true });

export async function loader({ context }: Route.LoaderArgs) {
  await requireCreator(context);
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const creator = await requireCreator(context);
  const parsed = v.safeParse(input, Object.fromEntries(await request.formData()));
  if (!parsed.success)
    return data<MarkResultResponse>(
      { ok: false, title: "Please choose won (W) or lost (L)." },
      { status: 422 },
    );
  const { tipId, result, ask } = parsed.output;
  if (ask)
    return data<MarkResultResponse>({
      ok: false,
      title: `Mark this tip as ${result}?`,
      message: "You can't change a result once it is entered.",
      confirm: { tipId, result },
    });
  const outcome = await markResult(creator.id, { tipId, result });
  if (outcome.ok) return data<MarkResultResponse>({ ok: true, title: `Marked as ${result}` });
  const { status, ...message } = RESULT_REFUSALS[outcome.refusal];
  return data<MarkResultResponse>({ ok: false, ...message }, { status });
}

/**
 * Shows the result as a toast. This is not left to the form, because a filter can remove the tip from
 * the list before the form renders the response.
 */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const response = await serverAction();
  // This page, which is used without JavaScript, shows the result itself.
  if (new URL(request.url).pathname !== window.location.pathname)
    showToast({ ...response, type: response.ok ? "success" : "warning" });
  return response;
}

/** The result of marking a tip, for browsers without JavaScript. */
export default function Result({ actionData: response }: Route.ComponentProps) {
  return (
    <div className="grid max-w-xl gap-4">
      {response ? (
        <FormMessage type={response.ok ? "success" : "warning"} title={response.title}>
          {response.message}
        </FormMessage>
      ) : null}
      {response?.confirm ? (
        <Form method="post">
          <input type="hidden" name="tipId" value={response.confirm.tipId} />
          <Button type="submit" name="result" value={response.confirm.result}>
            {response.confirm.result === "won" ? "Mark as won" : "Mark as lost"}
          </Button>
        </Form>
      ) : null}
      <TextLink to="/tipster-dashboard/tips" standalone>
        Back to My Tips
      </TextLink>
    </div>
  );
}
