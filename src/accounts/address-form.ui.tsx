import { Form, useNavigation } from "react-router";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import type { EmailRequestFormResult } from "./form-results.ts";
import { useFocusFirstError } from "./use-focus.ts";

type AddressFormProps = { action: string; submitLabel: string; result?: EmailRequestFormResult };

/** Form with a single email field. */
export function AddressForm({ action, submitLabel, result }: AddressFormProps) {
  const form = useFocusFirstError(result);
  const navigation = useNavigation();
  const isPending = navigation.state !== "idle" && navigation.formAction === action;
  return (
    <Form ref={form} method="post" action={action} noValidate className="grid gap-4">
      {result?.message ? (
        <FormMessage type={result.ok ? "success" : "error"}>{result.message}</FormMessage>
      ) : null}
      <TextField
        label="Email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        defaultValue={result?.values.email}
        error={result?.ok === false ? result.errors?.email : undefined}
      />
      <Button type="submit" size="large" wide pending={isPending} pendingLabel="Sending">
        {submitLabel}
      </Button>
    </Form>
  );
}
