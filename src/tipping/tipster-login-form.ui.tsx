import { Form, Link, useNavigation } from "react-router";
import { useFirstError } from "#identity/identity.ui.tsx";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/form-message.tsx";
import { PasswordField } from "#ui/password-field.tsx";
import { TextField } from "#ui/text-field.tsx";
import type { DoorAnswer } from "./door-answer.ts";

/** The tipsters' sign-in. */
export function TipsterLoginForm({ answer }: { answer?: DoorAnswer }) {
  const form = useFirstError(answer);
  const isPending = useNavigation().formMethod === "POST";
  return (
    <Form ref={form} method="post" noValidate className="grid gap-4">
      {answer?.message ? (
        <FormMessage type="error" title={answer.title}>
          {answer.message}
        </FormMessage>
      ) : null}
      <TextField
        label="Email"
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
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        minLength={6}
        error={answer?.errors.password}
      />
      <Button type="submit" size="large" wide pending={isPending} pendingLabel="Signing you in">
        Login
      </Button>
      <p className="text-center text-sm">
        <Link to="/forgot-password" className="link tap rounded-sm py-2">
          Forgotten your password?
        </Link>
      </p>
    </Form>
  );
}
