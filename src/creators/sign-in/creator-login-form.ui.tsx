import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { useFocusFirstError } from "#identity/identity.ui.tsx";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import type { CreatorLoginResult } from "./creator-login-result.ts";

type DoorFormProps = {
  answer?: CreatorLoginResult;
  /** What the address and the password are called here. */
  emailLabel: string;
  password: { label: string; name: string; minLength?: number };
  submit: { label: string; pendingLabel: string };
  /** Below the button. */
  children?: ReactNode;
};

/** The sign-in at the tipsters' or the analysts' door. */
export function CreatorLoginForm({
  answer,
  emailLabel,
  password,
  submit,
  children,
}: DoorFormProps) {
  const form = useFocusFirstError(answer);
  const isPending = useNavigation().formMethod === "POST";
  return (
    <Form ref={form} method="post" noValidate className="grid gap-4">
      {answer?.message ? (
        <FormMessage type="error" title={answer.title}>
          {answer.message}
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
        defaultValue={answer?.values.email}
        error={answer?.errors.email}
      />
      <PasswordField
        {...password}
        autoComplete="current-password"
        required
        error={answer?.errors[password.name]}
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
