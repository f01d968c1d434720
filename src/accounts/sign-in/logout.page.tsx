import { useEffect, useRef, useState } from "react";
import { data, Form, useNavigation, useSubmit } from "react-router";
import { clearBrowserData } from "#platform/browser-features.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { AccountLayout } from "../account-layout.ui.tsx";
import { DelayedRedirect } from "../delayed-redirect.ui.tsx";
import { broadcastSessionChange } from "../session-sync.ts";
import { findViewer, setViewer } from "../viewer.server.ts";
import type { Route } from "./+types/logout.page.ts";
import { signOut } from "./sign-out.server.ts";

const REDIRECT_DELAY_SECONDS = 5;

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Logout", description: "Log out of Furlong.", isPrivate: true });

export async function loader({ context }: Route.LoaderArgs) {
  return { isSignedIn: (await findViewer(context)) !== null };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { isComplete, headers } = await signOut(request);
  // The page is a guest's also while the database fails: an error page would drop the headers.
  setViewer(context, null);
  return data({ ok: isComplete }, { headers });
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/**
 * Logs out by POST only. When the page is opened through a link, it submits the form itself, once,
 * so that a later login in another tab is not ended.
 */
export default function Logout({ loaderData, actionData }: Route.ComponentProps) {
  const [firstResult, setFirstResult] = useState<boolean | null>(null);
  const isComplete = actionData?.ok ?? (loaderData.isSignedIn ? null : true);
  if (firstResult === null && isComplete !== null) setFirstResult(isComplete);
  const result = firstResult ?? isComplete;
  return result === null ? <LogoutForm /> : <LogoutResult isComplete={result} />;
}

function LogoutForm() {
  const isPending = useNavigation().state !== "idle";
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const isSubmitted = useRef(false);
  useEffect(() => {
    if (isSubmitted.current) return;
    isSubmitted.current = true;
    submit(form.current);
  }, [submit]);
  return (
    <AccountLayout heading="Logout">
      <Form ref={form} method="post" action="/logout">
        <Button type="submit" size="large" wide pending={isPending} pendingLabel="Logging you out">
          Logout
        </Button>
      </Form>
    </AccountLayout>
  );
}

function LogoutResult({ isComplete }: { isComplete: boolean }) {
  const [remainingSeconds, setRemainingSeconds] = useState(REDIRECT_DELAY_SECONDS);
  useEffect(() => {
    clearBrowserData();
    broadcastSessionChange();
    const timer = setInterval(
      () => setRemainingSeconds((seconds) => Math.max(0, seconds - 1)),
      1000,
    );
    return () => clearInterval(timer);
  }, []);
  return (
    <AccountLayout heading="You have been logged out">
      <div className="grid gap-4">
        {isComplete ? (
          <FormMessage type="success">
            Your account details have been removed from this browser. One cookie stays. It
            recognises this browser, so that someone guessing your password can't keep you out.
          </FormMessage>
        ) : (
          <FormMessage type="warning">
            You're logged out in this browser, but we couldn't end the session on our server. Log in
            again later and choose "Log out everywhere".
          </FormMessage>
        )}
        <p className="text-ink-2">
          Taking you back to the racing tips in <strong>{remainingSeconds}</strong>{" "}
          {remainingSeconds === 1 ? "second" : "seconds"}.
        </p>
        <ButtonLink to="/" wide>
          Back to Racing Tips
        </ButtonLink>
        <DelayedRedirect target="/" delaySeconds={REDIRECT_DELAY_SECONDS} />
      </div>
    </AccountLayout>
  );
}
