import { data, type RouterContextProvider, redirect } from "react-router";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import { failureMessage } from "#platform/failure-message.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { parseForm, readField } from "#platform/parse-form.ts";
import { createReturnTargetCookie } from "../browser-cookies.server.ts";
import type { AccountFormResult } from "../form-results.ts";
import { registerInput, signInInput } from "../identity.input.ts";
import {
  EMAIL_TAKEN,
  TOO_MANY_EMAILS,
  tooManyAttemptsMessage,
  WEAK_PASSWORD,
} from "../messages.ts";
import { registerUser } from "../registration/register-user.server.ts";
import { resolveReturnTarget } from "../return-target.ts";
import { codeRedirect } from "../two-step/code-redirect.server.ts";
import { setViewer } from "../viewer.server.ts";
import { signIn } from "./sign-in.server.ts";
import { describeSignInRefusal, retryAfter } from "./sign-in-refusal.server.ts";

type FormRequest = { form: FormData; request: Request; context: Readonly<RouterContextProvider> };

/** Handles the sign-in form. */
export async function handleSignInForm({ form, request, context }: FormRequest) {
  const parsed = parseForm(signInInput, form);
  if (!parsed.ok) return refuse(form, 422, { errors: parsed.errors });
  const result = await signIn({
    ...parsed.values,
    request,
    clientAddress: readClientAddress(context),
  }).catch((error: unknown) => toFailure("Login failed", error, context));
  if ("errorMessage" in result)
    return refuse(form, result.status, { message: result.errorMessage });
  if (result.ok) {
    setViewer(context, result.viewer);
    const target = resolveReturnTarget(readField(form, "return"));
    return data<AccountFormResult>(
      { ok: true, outcome: "signed-in", name: result.viewer.name, target },
      { headers: result.headers },
    );
  }
  if (result.refusal === "code-needed")
    throw codeRedirect(resolveReturnTarget(readField(form, "return")), result.headers);
  const { message, status, headers } = describeSignInRefusal(result);
  return refuse(form, status, { message }, headers);
}

/** Handles the registration form. */
export async function handleRegistration({ form, request, context }: FormRequest) {
  const parsed = parseForm(registerInput, form);
  if (!parsed.ok) return refuse(form, 422, { errors: parsed.errors });
  const result = await registerUser(parsed.values, {
    request,
    clientAddress: readClientAddress(context),
  }).catch((error: unknown) => toFailure("Registration failed", error, context));
  if ("errorMessage" in result)
    return refuse(form, result.status, { message: result.errorMessage });
  if (result.ok) {
    result.headers.append(
      "Set-Cookie",
      createReturnTargetCookie(resolveReturnTarget(readField(form, "return"))),
    );
    throw redirect("/check-your-email", { headers: result.headers });
  }
  switch (result.refusal) {
    case "email-taken":
      return refuse(form, 409, { errors: { email: EMAIL_TAKEN } });
    case "weak-password":
      return refuse(form, 422, { errors: { password: WEAK_PASSWORD } });
    case "too-many-attempts":
      return refuse(form, 429, { message: tooManyAttemptsMessage() });
    case "too-many-emails":
      return refuse(form, 429, { message: TOO_MANY_EMAILS }, retryAfter(result.retryAfterSeconds));
    case "busy":
      return refuse(form, 503, { message: SERVER_BUSY_MESSAGE }, retryAfter(5));
  }
}

function toFailure(description: string, error: unknown, context: Readonly<RouterContextProvider>) {
  const { status, details } = failureMessage(error, {
    description,
    requestId: getRequestDetails(context).id,
  });
  return { status, errorMessage: `${description}: ${details}` };
}

function readClientAddress(context: Readonly<RouterContextProvider>): string {
  return getRequestDetails(context).clientAddress;
}

type Refusal = Extract<AccountFormResult, { ok: false }>;

function refuse(
  form: FormData,
  status: number,
  refusal: Omit<Refusal, "ok" | "values">,
  headers?: { "Retry-After": string },
) {
  return data<AccountFormResult>(
    {
      ok: false,
      ...refusal,
      values: { name: readField(form, "name"), email: readField(form, "email") },
    },
    { status, headers },
  );
}
