import { useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { useFocusFirstError } from "#accounts/accounts.ui.tsx";
import type { FormResult } from "#platform/form-result.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { MAX_BIO_LENGTH, MAX_SPECIALIZATION_LENGTH } from "../profile/edit-creator.input.ts";

const SUBMITTED = {
  title: "Application Submitted!",
  message:
    "Your tipster application has been submitted for review. You'll be notified once approved.",
};

type ApplicationFormProps = {
  result?: FormResult;
  /** The signed-in user, whose name and address are filled in. */
  applicant: { email: string; fullName: string } | null;
};

/**
 * Application form. Pass a `key` that changes with the result, so that the form is cleared after a
 * successful submission.
 */
export function ApplicationForm({ result, applicant }: ApplicationFormProps) {
  const form = useFocusFirstError(result);
  const submittedMessage = useRef<HTMLDivElement>(null);
  const isPending = useNavigation().formMethod === "POST";
  useEffect(() => {
    if (result?.ok) {
      // On a phone the message is far above the submit button.
      submittedMessage.current?.focus({ preventScroll: true });
      submittedMessage.current?.scrollIntoView({ block: "center" });
      showToast({ type: "success", ...SUBMITTED });
    } else if (result?.message)
      showToast({
        type: "error",
        title: result.title ?? "Please try again",
        message: result.message,
      });
  }, [result]);
  const { errors = {}, values = { ...applicant } as Partial<Record<string, string>> } =
    result?.ok === false ? result : {};
  const field = (name: string) => ({ name, defaultValue: values[name], error: errors[name] });
  return (
    <Form ref={form} method="post" noValidate className="grid gap-4">
      {result?.ok ? (
        <div ref={submittedMessage} tabIndex={-1} className="rounded-md">
          <FormMessage type="success" title={SUBMITTED.title}>
            {SUBMITTED.message}
          </FormMessage>
        </div>
      ) : null}
      {result?.ok === false && result.message ? (
        <FormMessage type="error" title={result.title}>
          {result.message}
        </FormMessage>
      ) : null}
      <TextField
        {...field("email")}
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...field("fullName")}
          label="Full Name"
          autoComplete="name"
          maxLength={120}
          required
        />
        <TextField
          {...field("displayName")}
          label="Display Name"
          hint="The name punters will see"
          autoComplete="nickname"
          maxLength={60}
          required
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...field("phoneNumber")}
          label="Phone Number"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={40}
          optional
        />
        <TextField
          {...field("experienceYears")}
          label="Years of experience"
          type="number"
          inputMode="numeric"
          min={0}
          max={50}
          step={1}
          figures
          optional
        />
      </div>
      <TextField
        {...field("specialization")}
        label="Speciality"
        hint="Sprints, two-year-olds, the Highveld…"
        maxLength={MAX_SPECIALIZATION_LENGTH}
        optional
      />
      <TextField
        {...field("favouriteTracks")}
        label="Favourite Tracks"
        hint="Kenilworth, Turffontein…"
        maxLength={200}
        optional
      />
      <TextAreaField
        {...field("bio")}
        label="Bio"
        hint="How you choose your selections"
        rows={5}
        maxLength={MAX_BIO_LENGTH}
        optional
      />
      <p className="text-sm text-ink-2">
        By applying you confirm that you are 18 or older and agree to the{" "}
        <TextLink to="/terms">tipster terms</TextLink>.
      </p>
      <Button type="submit" size="large" wide pending={isPending} pendingLabel="Sending">
        Submit Application
      </Button>
    </Form>
  );
}
