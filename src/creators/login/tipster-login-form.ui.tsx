import { Link } from "react-router";
import { CreatorLoginForm } from "./creator-login-form.ui.tsx";
import type { CreatorLoginResult } from "./creator-login-result.ts";

/** Tipster login form. */
export function TipsterLoginForm({ result }: { result?: CreatorLoginResult }) {
  return (
    <CreatorLoginForm
      result={result}
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
