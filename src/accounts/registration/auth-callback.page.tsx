import { useEffect, useRef } from "react";
import { data, Form, useNavigation, useSubmit } from "react-router";
import { readField } from "#platform/parse-form.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { AccountLayout } from "../account-layout.ui.tsx";
import { createReturnTargetCookie, readReturnTarget } from "../browser-cookies.server.ts";
import { DelayedRedirect } from "../delayed-redirect.ui.tsx";
import { broadcastSessionChange } from "../session-sync.ts";
import { findViewer, setViewer } from "../viewer.server.ts";
import type { Route } from "./+types/auth-callback.page.ts";
import { confirmEmail, readConfirmation } from "./confirm-email.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Confirm your email address",
    description: "Confirm the email address of your Furlong account.",
    isPrivate: true,
  });

export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const isSignedIn = (await findViewer(context)) !== null;
  return { token, isSignedIn, ...(await readConfirmation(token, request)) };
}

type ConfirmedResult = {
  purpose: "confirm-email" | "change-email";
  name: string;
  isSignedIn: boolean;
  /** The page the user came from before registering. */
  target: string;
};
type ActionResult =
  | ({ ok: true } & ConfirmedResult)
  | { ok: false; refusal: "invalid-link" | "already-confirmed" | "email-taken" };

export async function action({ request, context }: Route.ActionArgs) {
  const token = readField(await request.formData(), "token");
  const result = await confirmEmail(token, request);
  if (!result.ok) return data<ActionResult>(result, { status: 410 });
  const { purpose, name, session } = result;
  if (!session)
    return data<ActionResult>({ ok: true, purpose, name, isSignedIn: false, target: "/login" });
  setViewer(context, session.viewer);
  const target = readReturnTarget(request);
  session.headers.append("Set-Cookie", createReturnTargetCookie("/"));
  return data<ActionResult>(
    { ok: true, purpose, name, isSignedIn: true, target },
    { headers: session.headers },
  );
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/**
 * Page of the confirmation link. Opening it changes nothing, because mail scanners follow links.
 * The button confirms; in the browser that registered, the page submits the form by itself.
 */
export default function AuthCallback({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData?.ok) return <Success {...actionData} />;
  const { isSignedIn } = loaderData;
  if (actionData) return <Failure refusal={actionData.refusal} isSignedIn={isSignedIn} />;
  if (loaderData.token === "") return <Failure refusal="no-link" isSignedIn={isSignedIn} />;
  if (loaderData.state !== "open")
    return <Failure refusal={loaderData.state} isSignedIn={isSignedIn} />;
  return <Confirm token={loaderData.token} isAutomatic={loaderData.isRegistrationBrowser} />;
}

function Confirm({ token, isAutomatic }: { token: string; isAutomatic: boolean }) {
  const isPending = useNavigation().state !== "idle";
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const isSubmitted = useRef(false);
  useEffect(() => {
    if (!isAutomatic || isSubmitted.current) return;
    isSubmitted.current = true;
    submit(form.current);
  }, [isAutomatic, submit]);
  return (
    <AccountLayout
      heading="Confirm your email address"
      lead={isPending ? "Confirming your email address…" : "Select the button to confirm."}
    >
      <Form ref={form} method="post" action="/auth-callback">
        <input type="hidden" name="token" value={token} />
        <Button type="submit" size="large" wide pending={isPending} pendingLabel="Confirming">
          Confirm Email
        </Button>
      </Form>
    </AccountLayout>
  );
}

function Success({ purpose, name, isSignedIn, target }: ConfirmedResult) {
  useEffect(() => {
    if (!isSignedIn) return;
    showToast({ type: "success", title: `Welcome ${name}! Account created successfully!` });
    broadcastSessionChange();
  }, [isSignedIn, name]);
  if (purpose === "change-email")
    return (
      <AccountLayout heading="Email address changed">
        <FormMessage type="success">Use your new email address to log in from now on.</FormMessage>
        <ButtonLink to="/profile" wide className="mt-4">
          Go to your profile
        </ButtonLink>
      </AccountLayout>
    );
  return (
    <AccountLayout heading="Email confirmed">
      <div className="grid gap-4">
        <FormMessage type="success">Email confirmed successfully! Welcome to Furlong!</FormMessage>
        <ButtonLink to={target} wide>
          {isSignedIn ? (target === "/" ? "Back to Racing Tips" : "Continue") : "Log In"}
        </ButtonLink>
        <DelayedRedirect target={target} delaySeconds={2} />
      </div>
    </AccountLayout>
  );
}

type ConfirmationRefusal = "no-link" | "invalid-link" | "already-confirmed" | "email-taken";

const refusalTexts: Record<ConfirmationRefusal, string> = {
  "no-link": "No session found. Please try logging in again.",
  "invalid-link": "Failed to confirm email. Please try again.",
  "already-confirmed": "This email address is already confirmed. You can log in.",
  "email-taken": "Another account now uses this email address, so we didn't change yours.",
};

function Failure({ refusal, isSignedIn }: { refusal: ConfirmationRefusal; isSignedIn: boolean }) {
  const isConfirmed = refusal === "already-confirmed";
  const message =
    isConfirmed && isSignedIn ? "This email address is already confirmed." : refusalTexts[refusal];
  return (
    <AccountLayout heading={isConfirmed ? "Already confirmed" : "We couldn't confirm your email"}>
      <div className="grid gap-3">
        <FormMessage type={isConfirmed ? "info" : "error"}>{message}</FormMessage>
        {isSignedIn ? (
          <ButtonLink to="/" wide>
            Back to Racing Tips
          </ButtonLink>
        ) : (
          <ButtonLink to="/login" wide>
            Return to Login
          </ButtonLink>
        )}
        {refusal === "invalid-link" ? (
          <ButtonLink to="/resend-confirmation" variant="secondary" wide>
            Get a new link
          </ButtonLink>
        ) : null}
      </div>
    </AccountLayout>
  );
}
