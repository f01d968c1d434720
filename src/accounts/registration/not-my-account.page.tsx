import { data, Form, useNavigation } from "react-router";
import { readField } from "#platform/parse-form.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { AccountLayout } from "../account-layout.ui.tsx";
import type { Route } from "./+types/not-my-account.page.ts";
import {
  type RemoveAccountResult,
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
  const result = await removeUnconfirmedAccount(readField(await request.formData(), "token"));
  return data<RemoveAccountResult>(result, result.ok ? undefined : { status: 409 });
}

const refusals = {
  "invalid-link": "This link has expired, or the account has already been removed.",
  confirmed:
    "This account has since been confirmed, so this link can't remove it. Contact us if it isn't yours.",
  "in-use":
    "Someone made a purchase with this account, so we can't remove it automatically. We've been notified and will look into it.",
};

/**
 * Page of the 'this was not me' link. The button removes the account; opening the page changes
 * nothing.
 */
export default function NotMyAccount({ loaderData, actionData }: Route.ComponentProps) {
  const isPending = useNavigation().state !== "idle";
  if (actionData)
    return (
      <AccountLayout heading={actionData.ok ? "The account is removed" : "Nothing was changed"}>
        <FormMessage type={actionData.ok ? "success" : "error"}>
          {actionData.ok
            ? "No one can use it any more. Thank you for telling us."
            : refusals[actionData.refusal]}
        </FormMessage>
        <ButtonLink to="/contact" variant="secondary" wide className="mt-4">
          Contact us
        </ButtonLink>
      </AccountLayout>
    );
  return (
    <AccountLayout
      heading="Didn't create this account?"
      lead="Someone used your email address to create a Furlong account. You can remove it."
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
          Remove the account
        </Button>
      </Form>
    </AccountLayout>
  );
}
