import { data, Form, useNavigation } from "react-router";
import { type EmailList, parseUnsubscribeToken } from "#platform/mail/unsubscribe-links.server.ts";
import { readField } from "#platform/parse-form.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import { setEmailSetting } from "../email-settings.server.ts";
import type { Route } from "./+types/unsubscribe.page.ts";

const TEXTS: Record<EmailList, { title: string; received: string; stopped: string }> = {
  checkpoint: {
    title: "The day's fingerprint by email",
    received: "You get an email with the fingerprint of our public log once on a race day.",
    stopped: "We won't send you the day's fingerprint any more.",
  },
  results: {
    title: "Your results by email",
    received: "You get an email in the evening with the results of the race cards you opened.",
    stopped: "We won't email you the results of your race cards any more.",
  },
};

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Stop these emails",
    description: "Stop emails that we send you.",
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
  return { token, list: parseUnsubscribeToken(token)?.list ?? null };
}

/** Mail programs post to the address of the link (RFC 8058), the form sends the token as a field. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const parsed = parseUnsubscribeToken(readField(form, "token") || readToken(request));
  if (parsed === null) return data({ list: null }, { status: 409 });
  await setEmailSetting(parsed.list, parsed.userId, false);
  return data({ list: parsed.list });
}

/** Page of the link in emails that can be stopped. Opening it changes nothing; the button does. */
export default function Unsubscribe({ loaderData, actionData }: Route.ComponentProps) {
  const isPending = useNavigation().state !== "idle";
  const { list } = actionData ?? loaderData;
  return (
    <article className="max-w-[46rem]">
      <PageHeading kicker="Emails">{list ? TEXTS[list].title : "Stop these emails"}</PageHeading>
      {list && actionData ? (
        <FormMessage type="success" className="mt-6">
          {TEXTS[list].stopped} You can ask for it again in your{" "}
          <TextLink to="/profile/emails">email settings</TextLink>.
        </FormMessage>
      ) : null}
      {list ? null : (
        <FormMessage type="error" className="mt-6">
          This link isn't complete. Copy the whole address from the email, or log in and change it
          in your <TextLink to="/profile/emails">email settings</TextLink>.
        </FormMessage>
      )}
      {list && !actionData ? (
        <Form method="post" action="/unsubscribe" className="mt-6">
          <input type="hidden" name="token" value={loaderData.token} />
          <p className="mb-4 text-ink-2">{TEXTS[list].received}</p>
          <Button type="submit" pending={isPending} pendingLabel="Stopping the emails">
            Stop these emails
          </Button>
        </Form>
      ) : null}
    </article>
  );
}
