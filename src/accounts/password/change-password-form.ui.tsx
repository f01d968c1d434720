import { useEffect } from "react";
import { Form, useNavigation } from "react-router";
import type { FormResult, RefusedForm } from "#platform/form-result.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { PASSWORD_MIN_LENGTH } from "../accounts.input.ts";
import { useFocusFirstError } from "../use-focus.ts";

/** The form that changes the viewer's password, on the profile and on the tipster dashboard. */
export function ChangePasswordForm({ result }: { result: FormResult | undefined }) {
  const form = useFocusFirstError(result);
  const isPending = useNavigation().formMethod === "POST";
  useEffect(() => {
    if (result?.ok) showToast({ type: "success", title: "Password updated successfully!" });
  }, [result]);
  const { message, errors = {} }: Partial<RefusedForm> = result?.ok === false ? result : {};
  return (
    <Form
      key={result?.ok ? "changed" : "open"}
      ref={form}
      method="post"
      noValidate
      className="grid gap-4"
    >
      {result?.ok ? <FormMessage type="success">Password updated successfully!</FormMessage> : null}
      {message ? <FormMessage type="error">{message}</FormMessage> : null}
      <PasswordField
        label="Current Password"
        name="currentPassword"
        autoComplete="current-password"
        required
        error={errors.currentPassword}
      />
      <PasswordField
        label="New Password"
        name="newPassword"
        autoComplete="new-password"
        hint="Minimum 6 characters"
        required
        minLength={PASSWORD_MIN_LENGTH}
        error={errors.newPassword}
      />
      <PasswordField
        label="Confirm New Password"
        name="confirmPassword"
        autoComplete="new-password"
        required
        error={errors.confirmPassword}
      />
      <Button type="submit" pending={isPending} pendingLabel="Saving">
        Update Password
      </Button>
    </Form>
  );
}
