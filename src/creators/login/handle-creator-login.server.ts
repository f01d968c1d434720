import { type RouterContextProvider, redirect } from "react-router";
import * as v from "valibot";
import { refuseSignIn, type SignInWords, signIn } from "#accounts/accounts.server.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { findCreator } from "../creator.server.ts";
import { readInvitation } from "../invitations/invitations.server.ts";
import { analystLoginInput, tipsterLoginInput } from "./creator-login.input.ts";

type FormRequest = { form: FormData; request: Request; context: Readonly<RouterContextProvider> };
type LoginForm = {
  isAllowed: (userId: string) => Promise<boolean>;
  title: string;
  words: SignInWords;
  /** Page to open after signing in. */
  target: string;
};

const SET_PASSWORD_FIRST = "Please set your password first, using the link in your approval email.";
const TIPSTER_LOGIN: LoginForm = {
  isAllowed: canUseDashboard,
  title: "Authentication Failed",
  words: {
    "not-permitted": "Invalid credentials or account not approved",
    "wrong-credentials": "Invalid credentials",
    "not-confirmed": SET_PASSWORD_FIRST,
  },
  target: "/tipster-dashboard?welcome",
};

const ANALYSTS_ONLY_MESSAGE =
  "Invalid credentials. Access is restricted to verified analysts only.";
const ANALYST_LOGIN: LoginForm = {
  isAllowed: isAnalyst,
  title: "Access denied",
  words: {
    "not-permitted": ANALYSTS_ONLY_MESSAGE,
    "wrong-credentials": ANALYSTS_ONLY_MESSAGE,
    "not-confirmed": SET_PASSWORD_FIRST,
  },
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
  return await logIn(TIPSTER_LOGIN, formRequest, tipsterLoginInput);
}

/**
 * Handles the analyst login form. Redirects to the tip form, or to the invitation that is still to
 * be accepted.
 */
export async function handleAnalystLogin(formRequest: FormRequest) {
  const input = v.pipe(
    analystLoginInput,
    v.transform(({ email, accessCode }) => ({ email, password: accessCode })),
  );
  return await logIn(ANALYST_LOGIN, formRequest, input);
}

async function logIn(
  { isAllowed, title, words, target }: LoginForm,
  { form, request, context }: FormRequest,
  input: v.GenericSchema<unknown, { email: string; password: string }>,
) {
  const { clientAddress } = getRequestDetails(context);
  return await handleForm(form, {
    input,
    invalid: keepFirstOfEachMessage,
    run: (login) => signIn({ ...login, restrictTo: isAllowed, request, clientAddress }),
    done: async ({ viewer, headers }) => {
      throw redirect((await readInvitation(viewer.id)) ? "/tipster-invitation" : target, {
        headers,
      });
    },
    refusals: (refused) => ({ title, ...refuseSignIn(refused, target, words) }),
    keep: ["email"],
  });
}

/** Keeps a message that several fields have only at the first of them. */
function keepFirstOfEachMessage(fieldErrors: Record<string, string>) {
  const errors: Record<string, string> = {};
  for (const [field, message] of Object.entries(fieldErrors))
    if (!Object.values(errors).includes(message)) errors[field] = message;
  return { errors };
}
