import { data, type RouterContextProvider, redirect } from "react-router";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import { failureMessage } from "#platform/failure-message.server.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { readField } from "#platform/parse-form.ts";
import { registerInput, signInInput } from "../accounts.input.ts";
import { createReturnTargetCookie } from "../browser-cookies.server.ts";
import { EMAIL_TAKEN, tooManyAttemptsMessage, WEAK_PASSWORD } from "../messages.ts";
import { registerUser } from "../registration/register-user.server.ts";
import { resolveReturnTarget } from "../return-target.ts";
import { setViewer } from "../viewer.server.ts";
import { signIn } from "./sign-in.server.ts";
import { refuseSignIn, refuseTooManyEmails } from "./sign-in-refusal.server.ts";

type FormRequest = { form: FormData; request: Request; context: Readonly<RouterContextProvider> };

const keep = ["name", "email"];

/** Handles the sign-in form. */
export async function handleSignInForm({ form, request, context }: FormRequest) {
  const { id: requestId, clientAddress } = getRequestDetails(context);
  const target = resolveReturnTarget(readField(form, "return"));
  return await handleForm(form, {
    input: signInInput,
    run: (input) => signIn({ ...input, request, clientAddress }),
    done: ({ viewer, headers }) => {
      setViewer(context, viewer);
      return data({ ok: true as const, name: viewer.name, target }, { headers });
    },
    refusals: (refused) => ({ refusal: refused.refusal, ...refuseSignIn(refused, target) }),
    failed: (error) => failureMessage(error, "Login failed:", { requestId }),
    keep,
  });
}

/** Handles the registration form. */
export async function handleRegistration({ form, request, context }: FormRequest) {
  const { id: requestId, clientAddress } = getRequestDetails(context);
  return await handleForm(form, {
    input: registerInput,
    run: (input) => registerUser(input, { request, clientAddress }),
    done: ({ headers }) => {
      const target = resolveReturnTarget(readField(form, "return"));
      headers.append("Set-Cookie", createReturnTargetCookie(target));
      throw redirect("/check-your-email", { headers });
    },
    refusals: (refused) => {
      switch (refused.refusal) {
        case "email-taken":
          return { errors: { email: EMAIL_TAKEN }, status: 409 };
        case "weak-password":
          return { errors: { password: WEAK_PASSWORD } };
        case "too-many-attempts":
          return [tooManyAttemptsMessage(), 429];
        case "too-many-emails":
          return refuseTooManyEmails(refused.retryAfterSeconds);
        case "busy":
          return [SERVER_BUSY_MESSAGE, 503];
      }
    },
    failed: (error) => failureMessage(error, "Registration failed:", { requestId }),
    keep,
  });
}
