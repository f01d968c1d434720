import { data, redirect } from "react-router";
import * as v from "valibot";
import { readAdmin } from "#admin-kit/admin-kit.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { parseForm, readField } from "#platform/parse-form.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { emailInput } from "../identity.input.ts";
import { resolveReturnTarget } from "../return-target.ts";
import { broadcastSessionChange } from "../session-sync.ts";
import { signIn } from "../sign-in/sign-in.server.ts";
import { describeSignInRefusal } from "../sign-in/sign-in-refusal.server.ts";
import { codeRedirect } from "../two-step/code-redirect.server.ts";
import type { Route } from "./+types/sign-in.page.ts";
import { SignInForm, type SignInRefusal } from "./sign-in-form.ui.tsx";

const INVALID_CREDENTIALS = "Invalid admin credentials";
const WORDS = {
  "wrong-credentials": INVALID_CREDENTIALS,
  "not-permitted": INVALID_CREDENTIALS,
  "not-confirmed": INVALID_CREDENTIALS,
};

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
  const refuse = (refusal: Partial<SignInRefusal>, init: ResponseInit) =>
    data<SignInRefusal>(
      { errors: {}, email: readField(form, "email"), returnTo, ...refusal },
      init,
    );
  const parsed = parseForm(signInInput, form);
  if (!parsed.ok) return refuse({ errors: parsed.errors }, { status: 422 });
  const { clientAddress } = getRequestDetails(context);
  const result = await signIn({ ...parsed.values, restrictTo: "admin", request, clientAddress });
  if (result.ok) throw redirect(returnTo, { headers: result.headers });
  if (result.refusal === "code-needed") throw codeRedirect(returnTo, result.headers);
  const { message, ...init } = describeSignInRefusal(result, WORDS);
  return refuse({ message }, init);
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
