import { data, type RouterContextProvider, redirect } from "react-router";
import { codeRedirect, signIn } from "#identity/identity.server.ts";
import { BUSY, tooManyAttempts } from "#identity/identity.ui.tsx";
import { requestDetailsOf } from "#platform/http/request.server.ts";
import { readForm, textOf } from "#platform/read-form.ts";
import { findCreator } from "../creator.server.ts";
import { readInvitation } from "../invitations/invitations.server.ts";
import { analystLoginInput, tipsterLoginInput } from "./creator-login.input.ts";
import type { CreatorLoginResult } from "./creator-login-result.ts";

type Asked = { form: FormData; request: Request; context: Readonly<RouterContextProvider> };
type Door = {
  door: (userId: string) => Promise<boolean>;
  failed: string;
  /** What is said to somebody whom the door is not for. */
  notHere: string;
  wrong: string;
  /** Where the door leads. */
  target: string;
};

const TIPSTERS: Door = {
  door: isOfThisSide,
  failed: "Authentication Failed",
  notHere: "Invalid credentials or account not approved",
  wrong: "Invalid credentials",
  target: "/tipster-dashboard?welcome",
};

const ANALYSTS_ONLY = "Invalid credentials. Access is restricted to verified analysts only.";
const ANALYSTS: Door = {
  door: isAnalyst,
  failed: "Access denied",
  notHere: ANALYSTS_ONLY,
  wrong: ANALYSTS_ONLY,
  target: "/admin/add-tip",
};

/**
 * Whether somebody writes here, as a tipster or an analyst, or has yet to accept that they may. Whoever
 * is suspended has earnings to come for.
 */
async function isOfThisSide(userId: string): Promise<boolean> {
  return (await findCreator(userId)) !== null || (await readInvitation(userId)) !== null;
}

/** Whether somebody writes as an analyst, and is not suspended, or has yet to accept that they may. */
async function isAnalyst(userId: string): Promise<boolean> {
  const creator = await findCreator(userId);
  if (creator) return creator.kind === "analyst" && !creator.suspendedAt;
  return (await readInvitation(userId))?.kind === "analyst";
}

/**
 * Answers the tipsters' login form; whoever is right is led to the dashboard, or to accepting the role
 * where that is left to do.
 */
export async function handleTipsterLogin(asked: Asked) {
  const read = readForm(tipsterLoginInput, asked.form);
  if (!read.ok) return refuse(asked.form, 422, fieldsMissing(read.errors));
  return await letIn(TIPSTERS, asked, read.values);
}

/**
 * Answers the analysts' portal; whoever is right is led to the tip form, or to accepting the role where
 * that is left to do.
 */
export async function handleAnalystLogin(asked: Asked) {
  const read = readForm(analystLoginInput, asked.form);
  if (!read.ok) return refuse(asked.form, 422, fieldsMissing(read.errors));
  const { email, accessCode } = read.values;
  return await letIn(ANALYSTS, asked, { email, password: accessCode });
}

async function letIn(
  at: Door,
  { form, request, context }: Asked,
  given: { email: string; password: string },
) {
  const { clientAddress } = requestDetailsOf(context);
  const answer = await signIn({ ...given, door: at.door, request, clientAddress });
  if (answer.ok) throw redirect(await targetOf(at, answer.viewer.id), { headers: answer.headers });
  switch (answer.refusal) {
    case "code-needed":
      throw codeRedirect(at.target, answer.headers);
    case "not-at-this-door":
      return refuse(form, 401, { title: at.failed, message: at.notHere, errors: {} });
    case "wrong-code":
    case "wrong-credentials":
      return refuse(form, 401, { title: at.failed, message: at.wrong, errors: {} });
    case "not-confirmed":
      return refuse(form, 403, {
        title: at.failed,
        message: "Please set your password first, using the link in your approval email.",
        errors: {},
      });
    case "too-many-tries":
      return refuse(
        form,
        429,
        { title: at.failed, message: tooManyAttempts(answer.retryAfterSeconds), errors: {} },
        answer.retryAfterSeconds,
      );
    case "busy":
      return refuse(form, 503, { title: at.failed, message: BUSY, errors: {} }, 5);
  }
}

async function targetOf(at: Door, userId: string): Promise<string> {
  if (await readInvitation(userId)) return "/tipster-invitation";
  return at.target;
}

/** Both fields are asked for in one sentence: it is said at the first of them. */
function fieldsMissing(wrong: Record<string, string>) {
  const errors: Record<string, string> = {};
  for (const [field, message] of Object.entries(wrong))
    if (!Object.values(errors).includes(message)) errors[field] = message;
  return { errors };
}

function refuse(
  form: FormData,
  status: number,
  answer: Omit<CreatorLoginResult, "values">,
  retryAfterSeconds?: number,
) {
  return data<CreatorLoginResult>(
    { ...answer, values: { email: textOf(form, "email") } },
    {
      status,
      headers: retryAfterSeconds ? { "Retry-After": String(retryAfterSeconds) } : undefined,
    },
  );
}
