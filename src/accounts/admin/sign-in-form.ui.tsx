import { useFetcher, useSearchParams } from "react-router";
import type { RefusedForm } from "#platform/form-result.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { AccountLayout } from "../account-layout.ui.tsx";
import { useFocusFirstError } from "../use-focus.ts";

/** Sign-in form of the admin area. */
export function SignInForm({ refusal: initialRefusal }: { refusal?: RefusedForm | undefined }) {
  const fetcher = useFetcher<RefusedForm>();
  const [searchParams] = useSearchParams();
  const refusal = fetcher.data ?? initialRefusal;
  const form = useFocusFirstError(refusal);
  return (
    <AccountLayout heading="Admin" lead="For Furlong administrators.">
      <fetcher.Form
        ref={form}
        method="post"
        action="/admin/sign-in"
        noValidate
        className="grid gap-4"
      >
        <input
          type="hidden"
          name="return"
          value={searchParams.get("return") ?? refusal?.values.return ?? "/admin"}
        />
        {refusal?.message ? <FormMessage type="error">{refusal.message}</FormMessage> : null}
        <TextField
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={refusal?.values.email}
          error={refusal?.errors?.email}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          error={refusal?.errors?.password}
        />
        <Button
          type="submit"
          size="large"
          wide
          pending={fetcher.state !== "idle"}
          pendingLabel="Signing you in"
        >
          Log In
        </Button>
      </fetcher.Form>
    </AccountLayout>
  );
}
