import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { useFocusFirstError } from "#accounts/accounts.ui.tsx";
import type { RefusedForm } from "#platform/form-result.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";

type CreatorLoginFormProps = {
  result?: RefusedForm;
  /** Labels of the fields. */
  emailLabel: string;
  password: { label: string; name: string; minLength?: number };
  submit: { label: string; pendingLabel: string };
  /** Content below the button. */
  children?: ReactNode;
};

/** Login form for tipsters and analysts. */
export function CreatorLoginForm({
  result,
  emailLabel,
  password,
  submit,
  children,
}: CreatorLoginFormProps) {
  const form = useFocusFirstError(result);
  const isPending = useNavigation().formMethod === "POST";
  return (
    <Form ref={form} method="post" noValidate className="grid gap-4">
      {result?.message ? (
        <FormMessage type="error" title={result.title}>
          {result.message}
        </FormMessage>
      ) : null}
      <TextField
        label={emailLabel}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        defaultValue={result?.values.email}
        error={result?.errors?.email}
      />
      <PasswordField
        {...password}
        autoComplete="current-password"
        required
        error={result?.errors?.[password.name]}
      />
      <Button
        type="submit"
        size="large"
        wide
        pending={isPending}
        pendingLabel={submit.pendingLabel}
      >
        {submit.label}
      </Button>
      {children}
    </Form>
  );
}
