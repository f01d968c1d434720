import { data, Form, useNavigation } from "react-router";
import { readField } from "#platform/parse-form.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/unsubscribe.page.ts";
import {
  parseUnsubscribeToken,
  setCheckpointEmailSetting,
} from "./checkpoint-email-settings.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Stop the fingerprint emails",
    description: "Stop the emails with the day's fingerprint.",
    isPrivate: true,
  });

/** The address identifies the recipient, so that no cache may keep the page. */
export function headers() {
  return { "Cache-Control": "no-store" };
}

function readToken(request: Request): string {
  return new URL(request.url).searchParams.get("token") ?? "";
}

export function loader({ request }: Route.LoaderArgs) {
  const token = readToken(request);
  return { token, isValid: parseUnsubscribeToken(token) !== null };
}

/** Mail programs post to the address of the link (RFC 8058), the form sends the token as a field. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const userId = parseUnsubscribeToken(readField(form, "token") || readToken(request));
  if (userId === null) return data({ ok: false }, { status: 409 });
  await setCheckpointEmailSetting(userId, false);
  return data({ ok: true });
}

/** Page of the link in the emails with the day's checkpoint. Opening it changes nothing; the button does. */
export default function Unsubscribe({ loaderData, actionData }: Route.ComponentProps) {
  const isPending = useNavigation().state !== "idle";
  const isValid = actionData?.ok ?? loaderData.isValid;
  return (
    <article className="max-w-[46rem]">
      <PageHeading kicker="Proof">The day's fingerprint by email</PageHeading>
      {actionData?.ok ? (
        <FormMessage type="success" className="mt-6">
          We won't send you the day's fingerprint any more. You can ask for it again on{" "}
          <TextLink to="/proof#email">Check our record</TextLink>.
        </FormMessage>
      ) : null}
      {isValid ? null : (
        <FormMessage type="error" className="mt-6">
          This link isn't complete. Copy the whole address from the email, or log in and change it
          on <TextLink to="/proof#email">Check our record</TextLink>.
        </FormMessage>
      )}
      {isValid && !actionData ? (
        <Form method="post" action="/proof/unsubscribe" className="mt-6">
          <input type="hidden" name="token" value={loaderData.token} />
          <p className="mb-4 text-ink-2">
            You get an email with the fingerprint of our public log once on a race day.
          </p>
          <Button type="submit" pending={isPending} pendingLabel="Stopping the emails">
            Stop these emails
          </Button>
        </Form>
      ) : null}
    </article>
  );
}
