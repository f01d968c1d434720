import { redirect } from "react-router";
import { findViewer } from "#accounts/accounts.server.ts";
import { AccountLayout, broadcastSessionChange } from "#accounts/accounts.ui.tsx";
import { handleAnalystLogin, listDemoAnalysts, readInvitation } from "#creators/creators.server.ts";
import { CreatorLoginForm } from "#creators/creators.ui.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import type { Route } from "./+types/analyst-portal.page.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Analyst Access Portal",
    description: "Login for Furlong's verified analysts.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = await findViewer(context);
  if (viewer?.roles.includes("analyst")) throw redirect("/admin/add-tip");
  if (viewer && (await readInvitation(viewer.id))?.kind === "analyst")
    throw redirect("/tipster-invitation");
  return { demoAnalysts: listDemoAnalysts() };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await handleAnalystLogin({ form: await request.formData(), request, context });
}

/** Makes the other tabs reload their session, whether or not the sign-in succeeds. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } finally {
    broadcastSessionChange();
  }
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** The analysts' sign-in page. */
export default function AnalystPortal({ loaderData, actionData: result }: Route.ComponentProps) {
  return (
    <AccountLayout
      backLink={{ to: "/", label: "Back to Home" }}
      heading="Analyst Access Portal"
      lead="For verified analysts. Your access code is the password you chose when you joined."
    >
      <CreatorLoginForm
        result={result}
        emailLabel="Analyst Email"
        password={{ label: "Access Code", name: "accessCode" }}
        submit={{ label: "Access Tip Form", pendingLabel: "Verifying" }}
      />
      {loaderData.demoAnalysts.length > 0 ? (
        <DemoAccounts analysts={loaderData.demoAnalysts} />
      ) : null}
    </AccountLayout>
  );
}

function DemoAccounts({ analysts }: { analysts: { email: string; accessCode: string }[] }) {
  return (
    <Panel title="Demo analysts" level={2} tone="well" className="mt-8">
      <dl className="grid gap-2 text-sm">
        {analysts.map((analyst) => (
          <div key={analyst.email} className="flex flex-wrap justify-between gap-x-4">
            <dt className="font-semibold break-all">{analyst.email}</dt>
            <dd>
              <code>{analyst.accessCode}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
