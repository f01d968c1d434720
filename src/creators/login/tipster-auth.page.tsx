import { redirect, useSearchParams } from "react-router";
import { findViewer } from "#accounts/accounts.server.ts";
import { AccountLayout, broadcastSessionChange } from "#accounts/accounts.ui.tsx";
import { formatRand } from "#domain/coins.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { LinkTabs } from "#ui/link-tabs.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import { readSaleTerms } from "#wallet/wallet.server.ts";
import { ApplicationForm } from "../applications/application-form.ui.tsx";
import { pendingMessage } from "../applications/application-messages.ts";
import { findOpenApplication } from "../applications/applications.server.ts";
import { handleApplication } from "../applications/handle-application.server.ts";
import { findCreator } from "../creator.server.ts";
import { readInvitation } from "../invitations/invitations.server.ts";
import type { Route } from "./+types/tipster-auth.page.ts";
import { handleTipsterLogin } from "./handle-creator-login.server.ts";
import { TipsterLoginForm } from "./tipster-login-form.ui.tsx";

export const handle = { scriptStart: "use" };

export const meta: Route.MetaFunction = ({ location }) =>
  isApplying(new URLSearchParams(location.search))
    ? pageMeta({
        title: "Become a Tipster",
        description: "Publish race cards on Furlong and earn each time one is opened. Apply here.",
      })
    : pageMeta({
        title: "Tipster Login",
        description: "Log in to your Furlong tipster dashboard, or apply to become a tipster.",
      });

export async function loader({ context }: Route.LoaderArgs) {
  const [viewer, { earningCents }] = await Promise.all([findViewer(context), readSaleTerms()]);
  if (!viewer) return { signedInAs: null, invitedAs: null, pendingSince: null, earningCents };
  if (await findCreator(viewer.id)) throw redirect("/tipster-dashboard");
  const [invitation, waiting] = await Promise.all([
    readInvitation(viewer.id),
    findOpenApplication(viewer.email),
  ]);
  return {
    signedInAs: { email: viewer.email, fullName: viewer.name },
    invitedAs: invitation?.kind ?? null,
    pendingSince: waiting?.sentAt ?? null,
    earningCents,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  return isApplying(new URL(request.url).searchParams)
    ? await handleApplication({ form, context })
    : await handleTipsterLogin({ form, request, context });
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

/** Page to log in as a tipster or to apply. */
export default function TipsterAuth({ loaderData, actionData }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const applies = isApplying(search);
  return (
    <AccountLayout
      backLink={{ to: "/", label: "Back to Home" }}
      heading={applies ? "Become a Tipster" : "Tipster Login"}
      lead={
        applies
          ? `Publish race cards and earn ${formatRand(loaderData.earningCents)} each time one is opened. Paid monthly.`
          : "Your tips, your record and your earnings."
      }
    >
      <LinkTabs
        label="Tipster Login or Become a Tipster"
        className="mb-6"
        tabs={[
          { to: "?", label: "Tipster Login", current: !applies },
          { to: "?mode=apply", label: "Become a Tipster", current: applies },
        ]}
      />
      {loaderData.invitedAs ? (
        <FormMessage
          type="success"
          title={
            loaderData.invitedAs === "analyst"
              ? "You're invited to be an analyst"
              : "Your application was approved"
          }
          className="mb-4"
        >
          One more step: <TextLink to="/tipster-invitation">accept the role</TextLink>.
        </FormMessage>
      ) : loaderData.signedInAs && !applies && !actionData ? (
        <FormMessage type="info" className="mb-4">
          You're logged in as {loaderData.signedInAs.email}, which isn't a tipster account. Apply to
          become a tipster, or log in with another account.
        </FormMessage>
      ) : null}
      {applies ? (
        <ApplicationSection actionData={actionData} loaderData={loaderData} />
      ) : (
        <TipsterLoginForm result={actionData?.ok === false ? actionData : undefined} />
      )}
      <p className="mt-6 flex flex-wrap justify-center gap-x-6 border-t border-rule pt-3 text-center text-sm text-ink-2">
        <TextLink to="/analyst" className="inline-flex min-h-11 items-center">
          Analyst? Go to the analyst portal
        </TextLink>
        <TextLink to="/terms" className="inline-flex min-h-11 items-center">
          Tipster Terms &amp; Conditions
        </TextLink>
      </p>
    </AccountLayout>
  );
}

function ApplicationSection({
  actionData: result,
  loaderData,
}: Pick<Route.ComponentProps, "actionData" | "loaderData">) {
  const { pendingSince, signedInAs } = loaderData;
  if (pendingSince && !result?.ok)
    return <FormMessage type="info">{pendingMessage(new Date(pendingSince))}</FormMessage>;
  return (
    <ApplicationForm
      key={result?.ok ? "sent" : "open"}
      result={result}
      applicant={result?.ok ? null : signedInAs}
    />
  );
}

function isApplying(search: URLSearchParams): boolean {
  return search.get("mode") === "apply";
}
