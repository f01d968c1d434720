import { Form, useNavigation } from "react-router";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import type { RefusedForm } from "#platform/form-result.ts";
import { handleForm, refuseForm } from "#platform/handle-form.server.ts";
import { readField } from "#platform/parse-form.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import { AccountLayout } from "../account-layout.ui.tsx";
import { firstPasswordInput, newPasswordInput } from "../accounts.input.ts";
import { TERMS_NOT_ACCEPTED, WEAK_PASSWORD } from "../messages.ts";
import { useFocusFirstError } from "../use-focus.ts";
import type { Route } from "./+types/reset-password.page.ts";
import { readPasswordLink, resetPassword } from "./reset-password.server.ts";

export const handle = { scriptStart: "use" };

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Choose a new password",
    description: "Choose a new password for your Furlong account.",
    isPrivate: true,
  });

export async function loader({ request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  return { token, link: await readPasswordLink(token) };
}

const INVALID_LINK = { refusal: "invalid-link", status: 410 };

export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const token = readField(form, "token");
  // Checks the link before the form, so that an expired link is reported instead of invalid fields.
  const link = await readPasswordLink(token);
  if (!link) return refuseForm(form, INVALID_LINK);
  const { isFirstPassword, mustAgree, loginPath } = link;
  return await handleForm(form, {
    input: mustAgree ? firstPasswordInput : newPasswordInput,
    run: ({ password }) => resetPassword(token, password, { agreed: mustAgree }),
    done: () => ({
      ok: true as const,
      message: isFirstPassword ? undefined : "You've been logged out on all devices.",
      loginPath,
    }),
    refusals: {
      "weak-password": { errors: { password: WEAK_PASSWORD } },
      "not-agreed": { errors: { agreed: TERMS_NOT_ACCEPTED } },
      busy: [SERVER_BUSY_MESSAGE, 503],
      "invalid-link": INVALID_LINK,
    },
  });
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Page to choose a password through an email link. */
export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const navigation = useNavigation();
  const form = useFocusFirstError(actionData);
  if (actionData?.ok)
    return (
      <AccountLayout heading="Password saved">
        <FormMessage type="success">You can log in with it now. {actionData.message}</FormMessage>
        <ButtonLink to={actionData.loginPath} wide className="mt-4">
          Log In
        </ButtonLink>
      </AccountLayout>
    );
  const { refusal, message, errors = {} }: Partial<RefusedForm> = actionData ?? {};
  const { link } = loaderData;
  // The loader does not run again after a refusal, so its link may have expired since.
  if (!link || refusal === "invalid-link")
    return (
      <AccountLayout heading="This link no longer works">
        <FormMessage type="error">
          It has expired or has already been used. Get a new link.
        </FormMessage>
        <div className="mt-4 grid gap-3">
          <ButtonLink to="/forgot-password" wide>
            Send a new link
          </ButtonLink>
          <ButtonLink to="/login" variant="secondary" wide>
            Return to Login
          </ButtonLink>
        </div>
      </AccountLayout>
    );
  return (
    <AccountLayout
      heading={link.isFirstPassword ? "Choose your password" : "Choose a new password"}
      lead={
        link.isFirstPassword ? "You'll use it to log in." : "You'll be logged out on all devices."
      }
    >
      <Form ref={form} method="post" noValidate className="grid gap-4">
        {message ? <FormMessage type="error">{message}</FormMessage> : null}
        <input type="hidden" name="token" value={loaderData.token} />
        <PasswordField
          label="New password"
          name="password"
          autoComplete="new-password"
          hint="Minimum 6 characters"
          required
          error={errors.password}
        />
        {link.mustAgree ? (
          <CheckboxField
            name="agreed"
            error={errors.agreed}
            label={
              <>
                I am 18 or older and agree to the <TextLink to="/terms">tipster terms</TextLink>,
                the <TextLink to="/terms-of-service">terms of service</TextLink> and the{" "}
                <TextLink to="/privacy">privacy policy</TextLink>
              </>
            }
          />
        ) : null}
        <Button
          type="submit"
          size="large"
          wide
          pending={navigation.state !== "idle"}
          pendingLabel="Saving"
        >
          Save password
        </Button>
      </Form>
    </AccountLayout>
  );
}
