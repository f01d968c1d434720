import { Form, useNavigation } from "react-router";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import type { MessageResult } from "./form-results.ts";
import { useFocusFirstError } from "./use-focus.ts";

type AddressFormProps = { action: string; submit: string; answer?: MessageResult };

/** A form that takes an address and nothing else. */
export function AddressForm({ action, submit, answer }: AddressFormProps) {
  const form = useFocusFirstError(answer);
  const navigation = useNavigation();
  const isPending = navigation.state !== "idle" && navigation.formAction === action;
  return (
    <Form ref={form} method="post" action={action} noValidate className="grid gap-4">
      {answer?.message ? (
        <FormMessage type={answer.ok ? "success" : "error"}>{answer.message}</FormMessage>
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
        defaultValue={answer?.values?.email}
        error={answer?.errors?.email}
      />
      <Button type="submit" size="large" wide pending={isPending} pendingLabel="Sending">
        {submit}
      </Button>
    </Form>
  );
}
