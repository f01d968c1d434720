import { useMemo } from "react";
import { Outlet, type ShouldRevalidateFunctionArgs, useRouteLoaderData } from "react-router";
import { findViewer, type Viewer } from "#accounts/accounts.server.ts";
import { createPriceList, listChangedCents } from "#domain/coin-packs.ts";
import { hasJustPaid } from "#payments/payments.server.ts";
import { PAID_PARAMETER, PaymentNotice } from "#payments/payments.ui.tsx";
import { env } from "#platform/env.server.ts";
import { isDialogNavigation } from "#ui/dialog-navigation.ts";
import { PricesContext } from "#ui/prices.ts";
import { readPrices, readWallet } from "#wallet/wallet.server.ts";
import type { Route } from "./+types/site.layout.ts";
import { ErrorPage, errorTitle } from "./error-page.ui.tsx";
import { type LayoutViewer, SiteLayout } from "./site-layout.ui.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { mode, company, appUrl } = env();
  const viewer = await findViewer(context);
  const paidSessionId = new URL(request.url).searchParams.get(PAID_PARAMETER);
  return {
    viewer: viewer && (await toLayoutViewer(viewer)),
    hasPaid: viewer && paidSessionId ? await hasJustPaid(viewer.id, paidSessionId) : false,
    isDemo: mode === "demo",
    company: company.name,
    appUrl,
    // Only the changed ones: every page has them.
    changedCents: listChangedCents(await readPrices()),
  };
}

async function toLayoutViewer(viewer: Viewer): Promise<LayoutViewer> {
  const { balanceCoins, owedCoins } = await readWallet(viewer.id);
  return {
    name: viewer.name,
    roles: viewer.roles.filter((role) => role !== "user"),
    coins: balanceCoins,
    owedCoins,
  };
}

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  // After a conflict, what the page shows is out of date: a price, for example.
  return args.actionStatus === 409 || (args.defaultShouldRevalidate && !isDialogNavigation(args));
}

export const meta: Route.MetaFunction = ({ error }) => [
  { title: error ? `${errorTitle(error)} | Furlong` : "Furlong" },
];

/** The navigation, footer and messages of every page. */
export default function RootLayout({ loaderData }: Route.ComponentProps) {
  const { changedCents, hasPaid, ...layout } = loaderData;
  const prices = useMemo(() => createPriceList(changedCents), [changedCents]);
  return (
    <PricesContext value={prices}>
      <SiteLayout {...layout}>
        <PaymentNotice hasPaid={hasPaid} />
        <Outlet />
      </SiteLayout>
    </PricesContext>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const data = useRouteLoaderData<typeof loader>("site-layout");
  return (
    <SiteLayout viewer={data?.viewer ?? null} isDemo={data?.isDemo} company={data?.company}>
      <ErrorPage error={error} />
    </SiteLayout>
  );
}
