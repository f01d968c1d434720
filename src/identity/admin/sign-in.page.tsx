import { data, redirect } from "react-router";
import * as v from "valibot";
import { adminOf } from "#admin-kit/admin-kit.server.ts";
import { requestDetailsOf } from "#platform/http/request.server.ts";
import { readForm, textOf } from "#platform/read-form.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { emailInput } from "../identity.input.ts";
import { BUSY, tooManyAttempts } from "../messages.ts";
import { returnTarget } from "../return-target.ts";
import { announceSession } from "../session-sync.ts";
import { signIn } from "../sign-in/sign-in.server.ts";
import { codeRedirect } from "../two-step/code-redirect.server.ts";
import type { Route } from "./+types/sign-in.page.ts";
import { SignInForm, type SignInRefusal } from "./sign-in-form.ui.tsx";

const INVALID = "Invalid admin credentials";

const signInInput = v.object({
  email: emailInput,
  password: v.pipe(v.string(), v.minLength(1, "Please enter your password"), v.maxLength(128)),
});

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Admin",
    description: "Login for Furlong administrators.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  if (await adminOf(context)) throw redirect("/admin");
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const wanted = returnTarget(textOf(form, "return"));
  const returnTo = /^\/admin(?![\w-])/.test(wanted) ? wanted : "/admin";
  const refuse = (refusal: Partial<SignInRefusal>, status: number, retryAfter?: number) =>
    data<SignInRefusal>(
      { errors: {}, email: textOf(form, "email"), returnTo, ...refusal },
      { status, headers: retryAfter ? { "Retry-After": String(retryAfter) } : undefined },
    );
  const read = readForm(signInInput, form);
  if (!read.ok) return refuse({ errors: read.errors }, 422);
  const { clientAddress } = requestDetailsOf(context);
  const answer = await signIn({ ...read.values, door: "admin", request, clientAddress });
  if (answer.ok) throw redirect(returnTo, { headers: answer.headers });
  if (answer.refusal === "code-needed") throw codeRedirect(returnTo, answer.headers);
  if (answer.refusal === "busy") return refuse({ message: BUSY }, 503, 5);
  if (answer.refusal === "too-many-tries")
    return refuse(
      { message: tooManyAttempts(answer.retryAfterSeconds) },
      429,
      answer.retryAfterSeconds,
    );
  return refuse({ message: INVALID }, 401);
}

/** Whoever comes in or not, the other tabs look again who is here. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } finally {
    announceSession();
  }
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Where the admin's form is sent; without scripts its answer is shown here. */
export default function SignIn({ actionData }: Route.ComponentProps) {
  return <SignInForm refusal={actionData} />;
}
