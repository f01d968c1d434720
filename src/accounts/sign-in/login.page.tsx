import { useState } from "react";
import { data, useSearchParams } from "react-router";
import { parseForm, readField } from "#platform/parse-form.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { isNetworkError } from "#ui/is-network-error.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { AccountLayout } from "../account-layout.ui.tsx";
import { registerInput, signInInput } from "../accounts.input.ts";
import type { AccountFormResult } from "../form-results.ts";
import { SESSION_EXPIRED } from "../messages.ts";
import { resolveReturnTarget } from "../return-target.ts";
import { findViewer } from "../viewer.server.ts";
import type { Route } from "./+types/login.page.ts";
import { AccountForm, type AccountMode } from "./account-form.ui.tsx";
import { handleRegistration, handleSignInForm } from "./handle-account-form.server.ts";

export const handle = { scriptStart: "use" };

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Login",
    description: "Log in to Furlong, or create an account to buy coins and open race cards.",
  });

/** How long the page cache keeps the guest version, which does not change while the server runs. */
const CACHE_SECONDS = 3_600;

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = await findViewer(context);
  return viewer
    ? data({ name: viewer.name })
    : data({ name: null }, { headers: { "Cache-Control": `s-maxage=${CACHE_SECONDS}` } });
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  return parseMode(new URL(request.url).searchParams) === "register"
    ? await handleRegistration({ form, request, context })
    : await handleSignInForm({ form, request, context });
}

/** Validates in the browser first, without a request to the server. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const isRegistering = parseMode(new URL(request.url).searchParams) === "register";
  const parsed = parseForm(isRegistering ? registerInput : signInInput, form);
  const values = { name: readField(form, "name"), email: readField(form, "email") };
  if (parsed.ok)
    try {
      return await serverAction();
    } catch (error) {
      if (!isNetworkError(error)) throw error;
      const failureTitle = isRegistering ? "Registration failed" : "Login failed";
      const message = `${failureTitle}: no answer from Furlong. Check your connection and try again.`;
      return withErrorStatus(503, { ok: false, message, values });
    }
  return withErrorStatus(422, { ok: false, errors: parsed.errors, values });
}

/** Sets an error status, so that React Router does not revalidate the loaders. */
function withErrorStatus(status: number, result: AccountFormResult) {
  return data(result, { status });
}

export const headers: Route.HeadersFunction = ({ actionHeaders, loaderHeaders }) =>
  new Headers([...loaderHeaders, ...actionHeaders]);

/** Login and registration page. */
export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const [searchParams] = useSearchParams();
  const mode = parseMode(searchParams);
  const returnTo = searchParams.get("return");
  const isRegistering = mode === "register";
  // A user who has just signed in on this page sees the success message, not the notice for users
  // who were signed in already.
  const [initialName] = useState(loaderData.name);
  if (initialName && !actionData) return <SignedInAlready name={initialName} returnTo={returnTo} />;
  return (
    <AccountLayout
      heading={isRegistering ? "Create Account" : "Login"}
      lead={isRegistering ? "One free account for your coins and race cards." : "Welcome back."}
    >
      {searchParams.has("expired") ? (
        <FormMessage type="info" className="mb-4">
          {SESSION_EXPIRED}
        </FormMessage>
      ) : returnTo === "buy-coins" ? (
        <FormMessage type="info" title="Account Required" className="mb-4">
          {isRegistering
            ? "Create an account to purchase coins"
            : "Please log in to purchase coins"}
        </FormMessage>
      ) : null}
      <AccountForm
        key={mode}
        mode={mode}
        returnTo={returnTo}
        result={actionData}
        otherModeUrl={`/login?${buildOtherModeQuery(isRegistering, returnTo)}`}
      />
    </AccountLayout>
  );
}

function SignedInAlready({ name, returnTo }: { name: string; returnTo: string | null }) {
  return (
    <AccountLayout heading="You're already logged in" lead={`You're logged in as ${name}.`}>
      <div className="grid gap-3">
        <ButtonLink to={resolveReturnTarget(returnTo)} wide>
          Continue
        </ButtonLink>
        <ButtonLink to="/logout" variant="secondary" wide>
          Log in to another account
        </ButtonLink>
      </div>
    </AccountLayout>
  );
}

function parseMode(search: URLSearchParams): AccountMode {
  return search.get("mode") === "register" ? "register" : "sign-in";
}

function buildOtherModeQuery(isRegistering: boolean, returnTo: string | null): string {
  const search = new URLSearchParams();
  if (!isRegistering) search.set("mode", "register");
  if (returnTo) search.set("return", returnTo);
  return search.toString();
}
