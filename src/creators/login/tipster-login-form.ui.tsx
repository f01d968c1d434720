import { Link } from "react-router";
import type { RefusedForm } from "#platform/form-result.ts";
import { CreatorLoginForm } from "./creator-login-form.ui.tsx";

/** Tipster login form. */
export function TipsterLoginForm({ result }: { result?: RefusedForm }) {
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
