import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { Panel } from "#ui/panel.tsx";

const HOME = "/admin/two-step";

type PasswordAgainProps = {
  title: string;
  /** The page that takes it. */
  action: string;
  /** What the button does. */
  label: string;
  error?: string | undefined;
  children: ReactNode;
};

/** Asks for the password again before something is done about the second step. */
export function ConfirmPasswordForm({ title, action, label, error, children }: PasswordAgainProps) {
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
            {label}
          </Button>
          <ButtonLink to={HOME} variant="secondary">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </Panel>
  );
}

type SetupKeyPanelProps = {
  offered: { key: string; sealed: string; picture: { side: number; path: string } };
  error?: string | undefined;
};

/** The key as a picture and as text, and the form for the first code of it. */
export function SetupKeyPanel({ offered, error }: SetupKeyPanelProps) {
  const { key, sealed, picture } = offered;
  const action = `${HOME}/confirm`;
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
          viewBox={`0 0 ${picture.side} ${picture.side}`}
          width="192"
          height="192"
          shapeRendering="crispEdges"
          // Cameras want dark on light, whatever the theme.
          className="size-48 rounded-sm bg-[#fff] text-[#000]"
        >
          <path d={picture.path} fill="currentColor" />
        </svg>
        <p className="grid gap-1">
          <span className="text-sm text-ink-2">Key</span>
          <code className="max-w-56 text-lg break-words select-all">{key}</code>
        </p>
      </div>
      <Form method="post" action={action} className="grid gap-4">
        <input type="hidden" name="sealed" value={sealed} />
        <TextField
          label="Code shown in your app"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          figures
          error={error}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" pending={isPending} pendingLabel="Checking">
            Turn on
          </Button>
          <ButtonLink to={HOME} variant="secondary">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </Panel>
  );
}

/** The recovery codes, this once. */
export function RecoveryCodes({ said, codes }: { said: string; codes: string[] }) {
  return (
    <div className="grid max-w-xl gap-4">
      <FormMessage type="success">{said}</FormMessage>
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
      <ButtonLink to={HOME} variant="secondary" className="justify-self-start">
        I've saved my codes
      </ButtonLink>
    </div>
  );
}
