import { data, type RouterContextProvider, redirect } from "react-router";
import { codeRedirect, signIn } from "#identity/identity.server.ts";
import { tooManyAttemptsMessage } from "#identity/identity.ui.tsx";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { parseForm, readField } from "#platform/parse-form.ts";
import { findCreator } from "../creator.server.ts";
import { readInvitation } from "../invitations/invitations.server.ts";
import { analystLoginInput, tipsterLoginInput } from "./creator-login.input.ts";
import type { CreatorLoginResult } from "./creator-login-result.ts";

type FormRequest = { form: FormData; request: Request; context: Readonly<RouterContextProvider> };
type LoginForm = {
  isAllowed: (userId: string) => Promise<boolean>;
  title: string;
  /** Message for users who may not use this form. */
  notPermitted: string;
  wrongCredentials: string;
  /** Page to open after signing in. */
  target: string;
};

const TIPSTER_LOGIN: LoginForm = {
  isAllowed: canUseDashboard,
  title: "Authentication Failed",
  notPermitted: "Invalid credentials or account not approved",
  wrongCredentials: "Invalid credentials",
  target: "/tipster-dashboard?welcome",
};

const ANALYSTS_ONLY_MESSAGE =
  "Invalid credentials. Access is restricted to verified analysts only.";
const ANALYST_LOGIN: LoginForm = {
  isAllowed: isAnalyst,
  title: "Access denied",
  notPermitted: ANALYSTS_ONLY_MESSAGE,
  wrongCredentials: ANALYSTS_ONLY_MESSAGE,
  target: "/admin/add-tip",
};

/**
 * Whether a user is a tipster or analyst, or has an invitation to accept. Suspended creators may
 * sign in to see their earnings.
 */
async function canUseDashboard(userId: string): Promise<boolean> {
  return (await findCreator(userId)) !== null || (await readInvitation(userId)) !== null;
}

/** Whether a user is an active analyst or has an analyst invitation to accept. */
async function isAnalyst(userId: string): Promise<boolean> {
  const creator = await findCreator(userId);
  if (creator) return creator.kind === "analyst" && !creator.suspendedAt;
  return (await readInvitation(userId))?.kind === "analyst";
}

/**
 * Handles the tipster login form. Redirects to the dashboard, or to the invitation that is still to
 * be accepted.
 */
export async function handleTipsterLogin(formRequest: FormRequest) {
  const parsed = parseForm(tipsterLoginInput, formRequest.form);
  if (!parsed.ok) return refuse(formRequest.form, 422, keepFirstOfEachMessage(parsed.errors));
  return await logIn(TIPSTER_LOGIN, formRequest, parsed.values);
}

/**
 * Handles the analyst login form. Redirects to the tip form, or to the invitation that is still to
 * be accepted.
 */
export async function handleAnalystLogin(formRequest: FormRequest) {
  const parsed = parseForm(analystLoginInput, formRequest.form);
  if (!parsed.ok) return refuse(formRequest.form, 422, keepFirstOfEachMessage(parsed.errors));
  const { email, accessCode } = parsed.values;
  return await logIn(ANALYST_LOGIN, formRequest, { email, password: accessCode });
}

async function logIn(
  loginForm: LoginForm,
  { form, request, context }: FormRequest,
  input: { email: string; password: string },
) {
  const { clientAddress } = getRequestDetails(context);
  const result = await signIn({
    ...input,
    restrictTo: loginForm.isAllowed,
    request,
    clientAddress,
  });
  if (result.ok)
    throw redirect(await findTarget(loginForm, result.viewer.id), { headers: result.headers });
  switch (result.refusal) {
    case "code-needed":
      throw codeRedirect(loginForm.target, result.headers);
    case "not-permitted":
      return refuse(form, 401, {
        title: loginForm.title,
        message: loginForm.notPermitted,
        errors: {},
      });
    case "wrong-code":
    case "wrong-credentials":
      return refuse(form, 401, {
        title: loginForm.title,
        message: loginForm.wrongCredentials,
        errors: {},
      });
    case "not-confirmed":
      return refuse(form, 403, {
        title: loginForm.title,
        message: "Please set your password first, using the link in your approval email.",
        errors: {},
      });
    case "too-many-attempts":
      return refuse(
        form,
        429,
        {
          title: loginForm.title,
          message: tooManyAttemptsMessage(result.retryAfterSeconds),
          errors: {},
        },
        result.retryAfterSeconds,
      );
    case "busy":
      return refuse(
        form,
        503,
        { title: loginForm.title, message: SERVER_BUSY_MESSAGE, errors: {} },
        5,
      );
  }
}

async function findTarget(loginForm: LoginForm, userId: string): Promise<string> {
  if (await readInvitation(userId)) return "/tipster-invitation";
  return loginForm.target;
}

/** Keeps a message that several fields have only at the first of them. */
function keepFirstOfEachMessage(fieldErrors: Record<string, string>) {
  const errors: Record<string, string> = {};
  for (const [field, message] of Object.entries(fieldErrors))
    if (!Object.values(errors).includes(message)) errors[field] = message;
  return { errors };
}

function refuse(
  form: FormData,
  status: number,
  result: Omit<CreatorLoginResult, "values">,
  retryAfterSeconds?: number,
) {
  return data<CreatorLoginResult>(
    { ...result, values: { email: readField(form, "email") } },
    {
      status,
      headers: retryAfterSeconds ? { "Retry-After": String(retryAfterSeconds) } : undefined,
    },
  );
}
