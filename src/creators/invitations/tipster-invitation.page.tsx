import { redirect } from "react-router";
import * as v from "valibot";
import { requireViewer } from "#accounts/accounts.server.ts";
import {
  AcceptInvitation,
  AccountLayout,
  CONFIRM_FIRST,
  INVITATION_ENDED,
} from "#accounts/accounts.ui.tsx";
import { formatRand } from "#domain/coins.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import { readSaleTerms } from "#wallet/wallet.server.ts";
import { NAME_TAKEN } from "../applications/application-messages.ts";
import { displayNameInput } from "../profile/edit-creator.input.ts";
import type { Route } from "./+types/tipster-invitation.page.ts";
import { acceptInvitation } from "./accept-invitation.server.ts";
import { readInvitation } from "./invitations.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Accept the role",
    description: "Accept your role as a Furlong tipster or analyst.",
    isPrivate: true,
  });

const input = v.object({ displayName: displayNameInput });

const refusals = {
  "not-invited": [INVITATION_ENDED, 403],
  "not-confirmed": [CONFIRM_FIRST, 403],
  "display-name-taken": NAME_TAKEN,
} as const;

export async function loader({ context, request }: Route.LoaderArgs) {
  const viewer = await requireViewer(context, request);
  if (viewer.roles.includes("tipster") || viewer.roles.includes("analyst"))
    throw redirect("/tipster-dashboard");
  const [invitation, { earningCents }] = await Promise.all([
    readInvitation(viewer.id),
    readSaleTerms(),
  ]);
  return { email: viewer.email, invitation, earningCents };
}

export async function action({ context, request }: Route.ActionArgs) {
  const viewer = await requireViewer(context, request);
  return await handleForm(await request.formData(), {
    input,
    invalid: ({ displayName = "" }) => [displayName, 422],
    run: (accepted) => acceptInvitation(viewer.id, accepted),
    done: () => {
      throw redirect("/tipster-dashboard?welcome=new");
    },
    refusals,
    keep: ["displayName"],
  });
}

/** Page where an approved or invited user accepts the role. */
export default function TipsterInvitation({ loaderData, actionData }: Route.ComponentProps) {
  const { invitation, email, earningCents } = loaderData;
  if (!invitation)
    return (
      <AccountLayout
        backLink={{ to: "/", label: "Back to Home" }}
        heading="No open invitation"
        lead={`We have no invitation for ${email}. If we invited a different address, log in with that one.`}
      >
        <ButtonLink to="/tipster-auth?mode=apply" wide>
          Become a Tipster
        </ButtonLink>
      </AccountLayout>
    );
  return (
    <AcceptInvitation
      backLink={{ to: "/", label: "Back to Home" }}
      heading={invitation.kind === "analyst" ? "You're invited" : "You are approved"}
      lead={`Accept the ${invitation.kind} role to open your dashboard. You earn ${formatRand(earningCents)} each time someone opens one of your race cards.`}
      result={actionData}
    >
      <TextField
        label="Display Name"
        name="displayName"
        hint="The name punters will see"
        required
        maxLength={60}
        defaultValue={actionData?.values.displayName ?? invitation.displayName}
      />
      <p className="text-sm text-ink-2">
        By accepting you confirm that you are 18 or older and agree to the{" "}
        <TextLink to="/terms">tipster terms</TextLink>.
      </p>
    </AcceptInvitation>
  );
}
