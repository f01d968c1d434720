import { Form, redirect, useNavigation, useSearchParams } from "react-router";
import { handleForm } from "#platform/handle-form.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { readField } from "#platform/parse-form.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import { AccountLayout } from "../account-layout.ui.tsx";
import { demoCodeHint } from "../messages.ts";
import { resolveReturnTarget } from "../return-target.ts";
import { broadcastSessionChange } from "../session-sync.ts";
import { describeSignInRefusal } from "../sign-in/sign-in-refusal.server.ts";
import { useFocusFirstError } from "../use-focus.ts";
import { setViewer } from "../viewer.server.ts";
import type { Route } from "./+types/sign-in-code.page.ts";
import { codeInput } from "./two-step.input.ts";
import { readDemoCodeOfStep, verifyCode } from "./verify-code.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Your code", description: "The second step of logging in.", isPrivate: true });

export async function loader({ request }: Route.LoaderArgs) {
  return { demoCode: await readDemoCodeOfStep(request) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const { clientAddress } = getRequestDetails(context);
  return await handleForm(form, {
    input: codeInput,
    run: ({ code }) => verifyCode({ code, request, clientAddress }),
    done: ({ viewer, headers }) => {
      setViewer(context, viewer);
      throw redirect(resolveReturnTarget(readField(form, "return")), { headers });
    },
    refusals: (refused) => {
      const { refusal } = refused;
      const { message, ...init } = describeSignInRefusal(refused);
      return {
        refusal,
        ...(refusal === "wrong-code" ? { errors: { code: message } } : { message }),
        ...init,
      };
    },
  });
}

/** Tells the other tabs to check who is signed in, whatever the result. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } finally {
    broadcastSessionChange();
  }
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Code page, the second step of signing in. */
export default function SignInCode({ loaderData, actionData }: Route.ComponentProps) {
  const [searchParams] = useSearchParams();
  const target = searchParams.get("return") ?? "";
  const isPending = useNavigation().formAction?.startsWith("/login/code") ?? false;
  const form = useFocusFirstError(actionData);
  const isPasswordRequired = actionData?.refusal === "password-required";
  const loginUrl = `/login?return=${encodeURIComponent(target)}`;
  return (
    <AccountLayout
      heading="Enter your code"
      lead="Enter the 6-digit code from your authenticator app."
      backLink={{ to: loginUrl, label: "Back to Login" }}
    >
      {isPasswordRequired ? (
        <FormMessage type="info" className="mb-4">
          {actionData.message} <TextLink to={loginUrl}>Login</TextLink>
        </FormMessage>
      ) : null}
      <Form ref={form} method="post" noValidate className="grid gap-4">
        {actionData?.message && !isPasswordRequired ? (
          <FormMessage type="error">{actionData.message}</FormMessage>
        ) : null}
        <input type="hidden" name="return" value={target} />
        <TextField
          label="6-digit code or recovery code"
          name="code"
          hint={
            loaderData.demoCode
              ? demoCodeHint(loaderData.demoCode)
              : "Lost your app? Enter a recovery code instead."
          }
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          figures
          error={actionData?.errors?.code}
        />
        <Button type="submit" size="large" wide pending={isPending} pendingLabel="Signing you in">
          Log In
        </Button>
      </Form>
    </AccountLayout>
  );
}
