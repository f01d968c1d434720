import { data, redirect } from "react-router";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import { parseForm, readField } from "#platform/parse-form.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import { AccountLayout } from "../account-layout.ui.tsx";
import { CONFIRM_FIRST, INVITATION_ENDED, WEAK_PASSWORD } from "../messages.ts";
import { broadcastSessionChange } from "../session-sync.ts";
import { readSessionToken } from "../session-token.server.ts";
import { startSession } from "../sessions.server.ts";
import { findViewer } from "../viewer.server.ts";
import type { Route } from "./+types/admin-invitation.page.ts";
import {
  type AcceptAdminInvitationResult,
  acceptAdminInvitation,
  acceptAdminInvitationWithNewAccount,
  readAdminInvitation,
} from "./accept-admin-invitation.server.ts";
import { AcceptInvitation } from "./accept-invitation.ui.tsx";
import { newAdminAccountInput } from "./new-admin-account.input.ts";

const SET_UP_PATH = "/admin/two-step";

type ActionResult = {
  message?: string;
  errors?: Record<string, string>;
  values?: { name: string };
};

type Refusal = Extract<AcceptAdminInvitationResult, { ok: false }>["refusal"];

const refusals: Record<Refusal, [result: ActionResult, status: number]> = {
  "invalid-link": [{ message: INVITATION_ENDED }, 410],
  "other-account": [{ message: "This invitation is for a different email address." }, 403],
  "log-in": [{ message: "This email address has an account. Log in to accept." }, 409],
  "not-confirmed": [{ message: CONFIRM_FIRST }, 403],
  suspended: [
    {
      message:
        "Your tipster or analyst account is suspended. Contact us to lift the suspension first.",
    },
    409,
  ],
  "weak-password": [{ errors: { password: WEAK_PASSWORD } }, 422],
  busy: [{ message: SERVER_BUSY_MESSAGE }, 503],
};

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Admin invitation",
    description: "Accept the invitation to be a Furlong admin.",
    isPrivate: true,
  });

export async function loader({ context, request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const viewer = await findViewer(context);
  const invitation = await readAdminInvitation(token, viewer);
  if (invitation.state === "accepted") throw redirect(SET_UP_PATH);
  return { token, invitation, viewerEmail: viewer?.email ?? null };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const token = readField(form, "token");
  const viewer = await findViewer(context);
  if (viewer) return respond(await acceptAdminInvitation(token, viewer), form);
  // Checks the link before the form, so that an expired link is reported instead of invalid fields.
  const { state } = await readAdminInvitation(token, null);
  if (state === "invalid") return respond({ ok: false, refusal: "invalid-link" }, form);
  const parsed = parseForm(newAdminAccountInput, form);
  if (!parsed.ok)
    return data<ActionResult>(
      { errors: parsed.errors, values: { name: readField(form, "name") } },
      { status: 422 },
    );
  const result = await acceptAdminInvitationWithNewAccount(token, parsed.values);
  if (!result.ok) return respond(result, form);
  const currentToken = readSessionToken(request);
  throw redirect(SET_UP_PATH, { headers: await startSession(result.userId, { currentToken }) });
}

function respond(result: AcceptAdminInvitationResult, form: FormData) {
  if (result.ok) throw redirect(SET_UP_PATH);
  const [refusal, status] = refusals[result.refusal];
  return data<ActionResult>(
    { ...refusal, values: { name: readField(form, "name") } },
    { status, headers: status === 503 ? { "Retry-After": "5" } : undefined },
  );
}

/** Tells the other tabs to check who is logged in, whatever the result. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } finally {
    broadcastSessionChange();
  }
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** The page of an admin's invitation. Opening it changes nothing, because scanners follow links. */
export default function AdminInvitation({ loaderData, actionData }: Route.ComponentProps) {
  const { invitation, token, viewerEmail } = loaderData;
  switch (invitation.state) {
    case "new-account":
    case "accept": {
      const isNew = invitation.state === "new-account";
      const lead = `${isNew ? "Create your account for" : "Accept as"} ${invitation.email}. The admin area opens once you have set up two-step login with an app on your phone.`;
      return (
        <AcceptInvitation
          heading="You're invited to be an admin"
          lead={lead}
          result={actionData}
          createsAccount={isNew}
        >
          <input type="hidden" name="token" value={token} />
          {isNew ? <NewAccountFields result={actionData} /> : null}
        </AcceptInvitation>
      );
    }
    case "log-in":
      return (
        <AccountLayout
          heading="You're invited to be an admin"
          lead={`${invitation.email} has an account. Log in with it to accept.`}
        >
          <ButtonLink
            to={`/login?return=${encodeURIComponent(`/admin-invitation?token=${token}`)}`}
            wide
          >
            Log In
          </ButtonLink>
        </AccountLayout>
      );
    case "other-account":
      return (
        <AccountLayout
          heading="This invitation is for another account"
          lead={`You are logged in as ${viewerEmail}. Log out, then open the link again.`}
        >
          <ButtonLink to="/logout" variant="secondary" wide>
            Log Out
          </ButtonLink>
        </AccountLayout>
      );
    default:
      return (
        <AccountLayout heading="This link no longer works">
          <FormMessage type="error">
            It has expired or has already been used. Ask an admin for a new invitation.
          </FormMessage>
        </AccountLayout>
      );
  }
}

function NewAccountFields({ result }: { result: ActionResult | undefined }) {
  return (
    <>
      <TextField
        label="Full Name"
        name="name"
        autoComplete="name"
        required
        maxLength={120}
        defaultValue={result?.values?.name}
        error={result?.errors?.name}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        hint="Minimum 6 characters"
        required
        error={result?.errors?.password}
      />
      <CheckboxField
        name="agreed"
        error={result?.errors?.agreed}
        label={
          <>
            I am 18 or older and agree to the{" "}
            <TextLink to="/terms-of-service">terms of service</TextLink> and the{" "}
            <TextLink to="/privacy">privacy policy</TextLink>
          </>
        }
      />
    </>
  );
}
