import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { Panel } from "#ui/panel.tsx";
import { demoCodeHint } from "../messages.ts";

const TWO_STEP_PATH = "/admin/two-step";

type ConfirmPasswordFormProps = {
  title: string;
  /** The path of the page that handles the form. */
  action: string;
  /** Label of the button. */
  submitLabel: string;
  error?: string | undefined;
  children: ReactNode;
};

/** Form that asks for the password before changing two-step login. */
export function ConfirmPasswordForm({
  title,
  action,
  submitLabel,
  error,
  children,
}: ConfirmPasswordFormProps) {
  const isPending = useNavigation().formAction === action;
  return (
    <Panel title={title} className="max-w-xl">
      <p className="mb-4 text-ink-2">{children}</p>
      <Form method="post" action={action} className="grid gap-4">
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          required
          error={error}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" pending={isPending} pendingLabel="Checking">
            {submitLabel}
          </Button>
          <ButtonLink to={TWO_STEP_PATH} variant="secondary">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </Panel>
  );
}

type SetupKeyPanelProps = {
  setupKey: {
    key: string;
    encryptedKey: string;
    demoCode: string | null;
    qrCode: { side: number; path: string };
  };
  error?: string | undefined;
};

/** Shows the key as a QR code and as text, with the form for its first code. */
export function SetupKeyPanel({ setupKey, error }: SetupKeyPanelProps) {
  const { key, encryptedKey, demoCode, qrCode } = setupKey;
  const action = `${TWO_STEP_PATH}/confirm`;
  const isPending = useNavigation().formAction === action;
  return (
    <Panel title="Add the key to your app" className="max-w-xl">
      <p className="text-ink-2">
        Scan the QR code with your authenticator app, or type in the key. You won't see it again.
      </p>
      <div className="my-4 flex flex-wrap items-center gap-4">
        <svg
          role="img"
          aria-label="QR code with your key"
          viewBox={`0 0 ${qrCode.side} ${qrCode.side}`}
          width="192"
          height="192"
          shapeRendering="crispEdges"
          // QR codes must be dark on light in every theme.
          className="size-48 rounded-sm bg-[#fff] text-[#000]"
        >
          <path d={qrCode.path} fill="currentColor" />
        </svg>
        <p className="grid gap-1">
          <span className="text-sm text-ink-2">Key</span>
          <code className="max-w-56 text-lg break-words select-all">{key}</code>
        </p>
      </div>
      <Form method="post" action={action} className="grid gap-4">
        <input type="hidden" name="encryptedKey" value={encryptedKey} />
        <TextField
          label="Code shown in your app"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          figures
          hint={demoCode ? demoCodeHint(demoCode) : undefined}
          error={error}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" pending={isPending} pendingLabel="Checking">
            Turn on
          </Button>
          <ButtonLink to={TWO_STEP_PATH} variant="secondary">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </Panel>
  );
}

/** Shows the recovery codes, once. */
export function RecoveryCodes({ message, codes }: { message: string; codes: string[] }) {
  return (
    <div className="grid max-w-xl gap-4">
      <FormMessage type="success">{message}</FormMessage>
      <Panel title="Your recovery codes">
        <p className="mb-4 text-ink-2">
          Use a recovery code if you lose your app. Each works once. Store them safely, not on the
          same phone. We won't show them again.
        </p>
        <ul className="grid gap-2 font-cond text-lg font-semibold tabular-nums">
          {codes.map((code) => (
            <li key={code}>
              <code className="select-all">{code}</code>
            </li>
          ))}
        </ul>
      </Panel>
      <ButtonLink to={TWO_STEP_PATH} variant="secondary" className="justify-self-start">
        I've saved my codes
      </ButtonLink>
    </div>
  );
}
