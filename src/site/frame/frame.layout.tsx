import { Outlet, type ShouldRevalidateFunctionArgs, useRouteLoaderData } from "react-router";
import { findViewer } from "#identity/identity.server.ts";
import { CancelledNotice } from "#payments/payments.ui.tsx";
import { env } from "#platform/env.server.ts";
import { isDialogOnly } from "#ui/only-dialog.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import type { Route } from "./+types/frame.layout.ts";
import { ErrorPage, errorTitle } from "./error-page.ui.tsx";
import { Frame, type FrameViewer } from "./frame.ui.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const { mode, company, appUrl } = env();
  return {
    viewer: await readFrameViewer(context),
    isDemo: mode === "demo",
    company: company.name,
    appUrl,
  };
}

async function readFrameViewer(context: Route.LoaderArgs["context"]): Promise<FrameViewer | null> {
  const viewer = await findViewer(context);
  if (!viewer) return null;
  const { balanceCoins, owedCoins } = await readWallet(viewer.id);
  return {
    name: viewer.name,
    roles: viewer.roles.filter((role) => role !== "user"),
    coins: balanceCoins,
    owedCoins,
  };
}

export function shouldRevalidate(step: ShouldRevalidateFunctionArgs) {
  return step.defaultShouldRevalidate && !isDialogOnly(step);
}

export const meta: Route.MetaFunction = ({ error }) => [
  { title: error ? `${errorTitle(error)} | Furlong` : "Furlong" },
];

/** The navigation, footer and messages of every page. */
export default function FrameLayout({ loaderData }: Route.ComponentProps) {
  return (
    <Frame {...loaderData}>
      <CancelledNotice />
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const data = useRouteLoaderData<typeof loader>("frame");
  return (
    <Frame viewer={data?.viewer ?? null} isDemo={data?.isDemo} company={data?.company}>
      <ErrorPage error={error} />
    </Frame>
  );
}
