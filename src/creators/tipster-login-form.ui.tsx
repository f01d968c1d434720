import { Link } from "react-router";
import type { DoorAnswer } from "./door-answer.ts";
import { DoorForm } from "./door-form.ui.tsx";

/** The tipsters' sign-in. */
export function TipsterLoginForm({ answer }: { answer?: DoorAnswer }) {
  return (
    <DoorForm
      answer={answer}
      emailLabel="Email"
      password={{ label: "Password", name: "password", minLength: 6 }}
      submit={{ label: "Login", pendingLabel: "Signing you in" }}
    >
      <p className="text-center text-sm">
        <Link to="/forgot-password" className="link tap rounded-sm py-2">
          Forgotten your password?
        </Link>
      </p>
    </DoorForm>
  );
}
