import { data, redirect } from "react-router";
import * as v from "valibot";
import { readAdmin } from "#admin-kit/admin-kit.server.ts";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { parseForm, readField } from "#platform/parse-form.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { emailInput } from "../identity.input.ts";
import { tooManyAttemptsMessage } from "../messages.ts";
import { resolveReturnTarget } from "../return-target.ts";
import { broadcastSessionChange } from "../session-sync.ts";
import { signIn } from "../sign-in/sign-in.server.ts";
import { codeRedirect } from "../two-step/code-redirect.server.ts";
import type { Route } from "./+types/sign-in.page.ts";
import { SignInForm, type SignInRefusal } from "./sign-in-form.ui.tsx";

const INVALID_CREDENTIALS = "Invalid admin credentials";

const signInInput = v.object({
  email: emailInput,
  password: v.pipe(v.string(), v.minLength(1, "Please enter your password"), v.maxLength(128)),
});

export const handle = { scriptStart: "use" };

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Admin",
    description: "Login for Furlong administrators.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  if (await readAdmin(context)) throw redirect("/admin");
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const target = resolveReturnTarget(readField(form, "return"));
  const returnTo = /^\/admin(?![\w-])/.test(target) ? target : "/admin";
  const refuse = (refusal: Partial<SignInRefusal>, status: number, retryAfter?: number) =>
    data<SignInRefusal>(
      { errors: {}, email: readField(form, "email"), returnTo, ...refusal },
      { status, headers: retryAfter ? { "Retry-After": String(retryAfter) } : undefined },
    );
  const parsed = parseForm(signInInput, form);
  if (!parsed.ok) return refuse({ errors: parsed.errors }, 422);
  const { clientAddress } = getRequestDetails(context);
  const result = await signIn({ ...parsed.values, restrictTo: "admin", request, clientAddress });
  if (result.ok) throw redirect(returnTo, { headers: result.headers });
  if (result.refusal === "code-needed") throw codeRedirect(returnTo, result.headers);
  if (result.refusal === "busy") return refuse({ message: SERVER_BUSY_MESSAGE }, 503, 5);
  if (result.refusal === "too-many-attempts")
    return refuse(
      { message: tooManyAttemptsMessage(result.retryAfterSeconds) },
      429,
      result.retryAfterSeconds,
    );
  return refuse({ message: INVALID_CREDENTIALS }, 401);
}

/** Tells the other tabs to check who is signed in, whatever the result. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } finally {
    broadcastSessionChange();
  }
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Handles the admin sign-in form; without JavaScript, it shows the result here. */
export default function SignIn({ actionData }: Route.ComponentProps) {
  return <SignInForm refusal={actionData} />;
}
