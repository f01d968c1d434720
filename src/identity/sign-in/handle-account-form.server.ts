import { data, type RouterContextProvider, redirect } from "react-router";
import { failureMessage } from "#platform/failure-message.server.ts";
import { requestDetailsOf } from "#platform/http/request.server.ts";
import { readForm, textOf } from "#platform/read-form.ts";
import { returnTargetCookie } from "../browsers.server.ts";
import type { AccountFormResult } from "../form-results.ts";
import { registerInput, signInInput } from "../identity.input.ts";
import {
  BUSY,
  EMAIL_TAKEN,
  NOT_CONFIRMED,
  TOO_MANY_MAILS,
  tooManyAttempts,
  WEAK_PASSWORD,
  WRONG_CREDENTIALS,
} from "../messages.ts";
import { registerUser } from "../registration/register-user.server.ts";
import { returnTarget } from "../return-target.ts";
import { codeRedirect } from "../two-step/code-redirect.server.ts";
import { setViewer } from "../viewer.server.ts";
import { signIn } from "./sign-in.server.ts";

type Asked = { form: FormData; request: Request; context: Readonly<RouterContextProvider> };

/** Answers the sign-in form. */
export async function handleSignInForm({ form, request, context }: Asked) {
  const read = readForm(signInInput, form);
  if (!read.ok) return refuse(form, 422, { errors: read.errors });
  const answer = await signIn({
    ...read.values,
    request,
    clientAddress: addressOf(context),
  }).catch((error: unknown) => failure("Login failed", error, context));
  if ("failed" in answer) return refuse(form, answer.status, { message: answer.failed });
  if (answer.ok) {
    setViewer(context, answer.viewer);
    const target = returnTarget(textOf(form, "return"));
    return data<AccountFormResult>(
      { ok: true, did: "signed-in", name: answer.viewer.name, target },
      { headers: answer.headers },
    );
  }
  switch (answer.refusal) {
    case "code-needed":
      throw codeRedirect(returnTarget(textOf(form, "return")), answer.headers);
    case "not-confirmed":
      return refuse(form, 403, { message: NOT_CONFIRMED });
    case "too-many-tries":
      return refuse(
        form,
        429,
        { message: tooManyAttempts(answer.retryAfterSeconds) },
        answer.retryAfterSeconds,
      );
    case "busy":
      return refuse(form, 503, { message: BUSY }, 5);
    default:
      return refuse(form, 401, { message: WRONG_CREDENTIALS });
  }
}

/** Answers the registration form. */
export async function handleRegistration({ form, request, context }: Asked) {
  const read = readForm(registerInput, form);
  if (!read.ok) return refuse(form, 422, { errors: read.errors });
  const answer = await registerUser(read.values, {
    request,
    clientAddress: addressOf(context),
  }).catch((error: unknown) => failure("Registration failed", error, context));
  if ("failed" in answer) return refuse(form, answer.status, { message: answer.failed });
  if (answer.ok) {
    answer.headers.append("Set-Cookie", returnTargetCookie(returnTarget(textOf(form, "return"))));
    throw redirect("/check-your-email", { headers: answer.headers });
  }
  switch (answer.refusal) {
    case "email-taken":
      return refuse(form, 409, { errors: { email: EMAIL_TAKEN } });
    case "weak-password":
      return refuse(form, 422, { errors: { password: WEAK_PASSWORD } });
    case "too-many-tries":
      return refuse(form, 429, { message: tooManyAttempts() });
    case "too-many-mails":
      return refuse(form, 429, { message: TOO_MANY_MAILS }, answer.retryAfterSeconds);
    case "busy":
      return refuse(form, 503, { message: BUSY }, 5);
  }
}

function failure(what: string, error: unknown, context: Readonly<RouterContextProvider>) {
  const { status, details } = failureMessage(error, {
    what,
    requestId: requestDetailsOf(context).id,
  });
  return { status, failed: `${what}: ${details}` };
}

function addressOf(context: Readonly<RouterContextProvider>): string {
  return requestDetailsOf(context).clientAddress;
}

type Refusal = Extract<AccountFormResult, { ok: false }>;

function refuse(
  form: FormData,
  status: number,
  refusal: Omit<Refusal, "ok" | "values">,
  retryAfterSeconds?: number,
) {
  return data<AccountFormResult>(
    {
      ok: false,
      ...refusal,
      values: { name: textOf(form, "name"), email: textOf(form, "email") },
    },
    {
      status,
      headers: retryAfterSeconds ? { "Retry-After": String(retryAfterSeconds) } : undefined,
    },
  );
}
