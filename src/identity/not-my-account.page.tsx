import { data, Form, useNavigation } from "react-router";
import { textOf } from "#platform/read-form.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import type { Route } from "./+types/not-my-account.page.ts";
import { AccountSheet } from "./account-sheet.ui.tsx";
import {
  type DisownAnswer,
  removeUnconfirmedAccount,
} from "./remove-unconfirmed-account.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "This was not me",
    description: "Remove an account that someone opened with your email address.",
    isPrivate: true,
  });

export function loader({ request }: Route.LoaderArgs) {
  return { token: new URL(request.url).searchParams.get("token") ?? "" };
}

export async function action({ request }: Route.ActionArgs) {
  const answer = await removeUnconfirmedAccount(textOf(await request.formData(), "token"));
  return data<DisownAnswer>(answer, answer.ok ? undefined : { status: 409 });
}

const refusals = {
  "link-not-good": "This link is too old, or the account is gone already.",
  confirmed: "This account has been confirmed since, so the link no longer removes it.",
  "in-use":
    "Something was bought with this account, so it is not removed by itself. We have been told and look into it.",
};

/** The page of the 'this was not me' link: a press removes the account, opening the page does not. */
export default function NotMyAccount({ loaderData, actionData }: Route.ComponentProps) {
  const isPending = useNavigation().state !== "idle";
  if (actionData)
    return (
      <AccountSheet heading={actionData.ok ? "The account is removed" : "Nothing was changed"}>
        <FormMessage type={actionData.ok ? "success" : "error"}>
          {actionData.ok
            ? "Nobody can use it any more. Thank you for telling us."
            : refusals[actionData.refusal]}
        </FormMessage>
        <ButtonLink to="/contact" variant="secondary" wide className="mt-4">
          Contact us
        </ButtonLink>
      </AccountSheet>
    );
  return (
    <AccountSheet
      heading="You did not open this account?"
      lead="Someone used your email address to open an account at Furlong. You can remove it."
    >
      <Form method="post" action="/not-my-account">
        <input type="hidden" name="token" value={loaderData.token} />
        <Button
          type="submit"
          variant="danger"
          size="large"
          wide
          pending={isPending}
          pendingLabel="Removing the account"
        >
          This was not me: remove it
        </Button>
      </Form>
    </AccountSheet>
  );
}
