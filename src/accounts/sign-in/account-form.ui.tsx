import { useEffect } from "react";
import { Link, useFetcher } from "react-router";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { DelayedRedirect } from "../delayed-redirect.ui.tsx";
import type { AccountFormResult } from "../form-results.ts";
import { LOGIN_FAILED } from "../messages.ts";
import { ResendButton } from "../registration/resend-button.ui.tsx";
import { broadcastSessionChange } from "../session-sync.ts";
import { useFocusFirstError, useFocusOnMount } from "../use-focus.ts";

export type AccountMode = "sign-in" | "register";

type AccountFormProps = {
  mode: AccountMode;
  /** The return target from the query string: 'buy-coins' or a path of this site. */
  returnTo?: string | null;
  /** The result of a submission without JavaScript. */
  result?: AccountFormResult;
  /** Link to the same form in the other mode. */
  otherModeUrl: string;
};

/**
 * Sign-in and registration form of the login page and the account dialog. Pass the mode as `key`,
 * so that switching modes clears the values and errors.
 */
export function AccountForm({
  mode,
  returnTo,
  result: initialResult,
  otherModeUrl,
}: AccountFormProps) {
  const fetcher = useFetcher<AccountFormResult>();
  const result = fetcher.data ?? initialResult;
  const form = useFocusFirstError(result);
  if (result?.ok) return <SignedIn name={result.name} target={result.target} />;

  const isRegistering = mode === "register";
  const errors = result?.errors ?? {};
  const isPending = fetcher.state !== "idle";
  return (
    <div>
      <fetcher.Form
        ref={form}
        method="post"
        action={isRegistering ? "/login?mode=register" : "/login"}
        noValidate
        className="grid gap-4"
      >
        {result?.message ? (
          <FormMessage type="error" title={isRegistering ? undefined : LOGIN_FAILED}>
            {result.message}
          </FormMessage>
        ) : null}
        <input type="hidden" name="return" value={returnTo ?? ""} />
        {isRegistering ? (
          <TextField
            label="Full Name"
            name="name"
            autoComplete="name"
            required
            maxLength={120}
            defaultValue={result?.values.name}
            error={errors.name}
          />
        ) : null}
        <TextField
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete={isRegistering ? "email" : "username"}
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={result?.values.email}
          error={errors.email}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete={isRegistering ? "new-password" : "current-password"}
          hint={isRegistering ? "Minimum 6 characters" : undefined}
          required
          error={errors.password}
        />
        {isRegistering ? (
          <CheckboxField
            name="agreed"
            error={errors.agreed}
            label={
              <>
                I am 18 or older and agree to the{" "}
                <TextLink to="/terms-of-service">terms of service</TextLink> and the{" "}
                <TextLink to="/privacy">privacy policy</TextLink>
              </>
            }
          />
        ) : null}
        <Button
          type="submit"
          size="large"
          wide
          pending={isPending}
          pendingLabel={isRegistering ? "Creating your account" : "Signing you in"}
        >
          {isRegistering ? "Create Account" : "Log In"}
        </Button>
        {result?.refusal === "not-confirmed" ? <ResendButton /> : null}
      </fetcher.Form>
      <div className="mt-5 grid justify-items-center gap-1 border-t border-rule pt-3 text-sm">
        {isRegistering ? null : (
          <Link to="/forgot-password" className="link tap rounded-sm py-2">
            Forgotten your password?
          </Link>
        )}
        <p className="py-2 text-ink-2">
          {isRegistering ? "Already have an account? " : "Don't have an account? "}
          <Link to={otherModeUrl} replace preventScrollReset className="link tap rounded-sm">
            {isRegistering ? "Log in" : "Create one"}
          </Link>
        </p>
      </div>
    </div>
  );
}

function SignedIn({ name, target }: { name: string; target: string }) {
  const section = useFocusOnMount<HTMLDivElement>();
  useEffect(() => {
    showToast({ type: "success", title: `Welcome back, ${name}!` });
    broadcastSessionChange();
  }, [name]);
  return (
    <div
      ref={section}
      tabIndex={-1}
      className="grid gap-4 focus-visible:outline-none focus-visible:shadow-none"
    >
      <FormMessage type="success" title="Login successful">
        Welcome back, {name}. Taking you to your page now.
      </FormMessage>
      <ButtonLink to={target} replace wide>
        Continue
      </ButtonLink>
      <DelayedRedirect target={target} delaySeconds={3} />
    </div>
  );
}
