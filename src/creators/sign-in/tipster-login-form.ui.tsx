import { Link } from "react-router";
import { CreatorLoginForm } from "./creator-login-form.ui.tsx";
import type { CreatorLoginResult } from "./creator-login-result.ts";

/** The tipsters' sign-in. */
export function TipsterLoginForm({ answer }: { answer?: CreatorLoginResult }) {
  return (
    <CreatorLoginForm
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
    </CreatorLoginForm>
  );
}
