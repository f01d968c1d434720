import { redirect } from "react-router";
import * as v from "valibot";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import type { RefusedForm } from "#platform/form-result.ts";
import { handleForm, refuseForm } from "#platform/handle-form.server.ts";
import { readField } from "#platform/parse-form.ts";
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
  acceptAdminInvitation,
  acceptAdminInvitationWithNewAccount,
  readAdminInvitation,
} from "./accept-admin-invitation.server.ts";
import { AcceptInvitation } from "./accept-invitation.ui.tsx";
import { newAdminAccountInput } from "./new-admin-account.input.ts";

const SET_UP_PATH = "/admin/two-step";

const refusals = {
  "invalid-link": [INVITATION_ENDED, 410],
  "other-account": ["This invitation is for a different email address.", 403],
  "log-in": "This email address has an account. Log in to accept.",
  "not-confirmed": [CONFIRM_FIRST, 403],
  suspended:
    "Your tipster or analyst account is suspended. Contact us to lift the suspension first.",
  "weak-password": { errors: { password: WEAK_PASSWORD } },
  busy: [SERVER_BUSY_MESSAGE, 503],
} as const;

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
  if (viewer)
    return await handleForm(form, {
      input: v.object({}),
      run: () => acceptAdminInvitation(token, viewer),
      done: () => {
        throw redirect(SET_UP_PATH);
      },
      refusals,
    });
  // Checks the link before the form, so that an expired link is reported instead of invalid fields.
  const { state } = await readAdminInvitation(token, null);
  const keep = ["name"];
  if (state === "invalid") return refuseForm(form, refusals["invalid-link"], keep);
  // The form to accept as a viewer who has been logged out since has no fields to report.
  if (state === "log-in") return refuseForm(form, refusals["log-in"], keep);
  return await handleForm(form, {
    input: newAdminAccountInput,
    run: (account) => acceptAdminInvitationWithNewAccount(token, account),
    done: async ({ userId }) => {
      const currentToken = readSessionToken(request);
      throw redirect(SET_UP_PATH, { headers: await startSession(userId, { currentToken }) });
    },
    refusals,
    keep,
  });
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

function NewAccountFields({ result }: { result: RefusedForm | undefined }) {
  return (
    <>
      <TextField
        label="Full Name"
        name="name"
        autoComplete="name"
        required
        maxLength={120}
        defaultValue={result?.values.name}
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
