import { createContext, use, useEffect } from "react";
import { useRevalidator } from "react-router";
import { type CodeState, demoCodeHint } from "#accounts/accounts.ui.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { TextLink } from "#ui/text-link.tsx";

/** How long a displayed code of the demo stays valid at least. */
const DEMO_CODE_MS = 30_000;

/** Whether actions that move money need a code. Provided by the layout of the admin area. */
export const CodeContext = createContext<CodeState>({ status: "code-required", demoCode: null });

type CodeFieldProps = {
  error?: string | undefined;
  className?: string;
  onChange?: (code: string) => void;
};

/** The field for the code of two-step login. Hidden within 15 minutes of the last code, unless it has an error. */
export function CodeField({ error, className, onChange }: CodeFieldProps) {
  const { status, demoCode } = use(CodeContext);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (demoCode === null) return;
    const timer = setInterval(() => void revalidate(), DEMO_CODE_MS);
    return () => clearInterval(timer);
  }, [demoCode, revalidate]);
  if (status === "two-step-off")
    return (
      <FormMessage type="warning" title="Two-step login is off">
        Actions that move money need it.{" "}
        <TextLink to="/admin/two-step">Set up two-step login</TextLink>
      </FormMessage>
    );
  if (status === "confirmed" && !error) return null;
  return (
    <TextField
      label="Code from your app"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      figures
      hint={demoCode ? demoCodeHint(demoCode) : "Good for 15 minutes"}
      error={error}
      className={className}
      onChange={(event) => onChange?.(event.target.value)}
    />
  );
}
