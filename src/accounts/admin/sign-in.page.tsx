import { redirect } from "react-router";
import * as v from "valibot";
import { readAdmin } from "#admin-kit/admin-kit.server.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { readField } from "#platform/parse-form.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { emailInput } from "../accounts.input.ts";
import { resolveReturnTarget } from "../return-target.ts";
import { broadcastSessionChange } from "../session-sync.ts";
import { signIn } from "../sign-in/sign-in.server.ts";
import { refuseSignIn } from "../sign-in/sign-in-refusal.server.ts";
import type { Route } from "./+types/sign-in.page.ts";
import { SignInForm } from "./sign-in-form.ui.tsx";

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
  form.set("return", returnTo);
  const { clientAddress } = getRequestDetails(context);
  return await handleForm(form, {
    input: signInInput,
    run: (input) => signIn({ ...input, restrictTo: "admin", request, clientAddress }),
    done: ({ headers }) => {
      throw redirect(returnTo, { headers });
    },
    refusals: (refused) => refuseSignIn(refused, returnTo, WORDS),
    keep: ["email", "return"],
  });
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
