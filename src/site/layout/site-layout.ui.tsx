import { type ReactNode, useMemo, useState } from "react";
import { useRouteLoaderData } from "react-router";
import { PendingLogout, usePendingLogout, useSessionSync } from "#accounts/accounts.ui.tsx";
import { createDeferredComponent } from "#ui/deferred.tsx";
import { NotificationProvider } from "#ui/notifications/notification.tsx";
import { Toaster } from "#ui/notifications/toast.tsx";
import { BalanceContext } from "#wallet/wallet.ui.tsx";
import { DialogHost } from "../dialogs/dialog-host.ui.tsx";
import { usePreloadedDialogs } from "../dialogs/use-preloaded-dialogs.ts";
import { useOfflineCopies } from "../offline/use-offline-copies.ts";
import { useInterruptedNavigation } from "./interrupted-navigation.ts";
import { OfflineNotice } from "./offline-notice.ui.tsx";
import { SiteFooter } from "./site-footer.ui.tsx";
import { TopNavigation } from "./top-navigation.ui.tsx";

/** The viewer data that the layout renders. Contains nothing that identifies the account. */
export type LayoutViewer = {
  name: string;
  /** The viewer's roles, except `user`. */
  roles: readonly string[];
  coins: number;
  owedCoins: number;
};

type SiteLayoutProps = {
  viewer: LayoutViewer | null;
  isDemo?: boolean;
  company?: string;
  children: ReactNode;
};

const RestoreForm = createDeferredComponent(
  () => import("./restore-form.ui.tsx").then((it) => it.RestoreForm),
  {
    LoadError: () => null,
  },
);

/** The layout of every page and every error page. The admin area draws its own navigation and has no footer. */
export function SiteLayout({
  viewer: loadedViewer,
  isDemo = false,
  company,
  children,
}: SiteLayoutProps) {
  useInterruptedNavigation();
  const logout = usePendingLogout();
  useSessionSync(loadedViewer !== null);
  usePreloadedDialogs(loadedViewer !== null);
  useOfflineCopies(loadedViewer !== null);
  // Loads the code for signed-in viewers only. It stays mounted while they sign in again.
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (loadedViewer && !wasSignedIn) setWasSignedIn(true);
  // The balance reported by a later response, used until the viewer is loaded again.
  const [latestBalance, setLatest] = useState<{
    viewer: LayoutViewer | null;
    coins: number;
  } | null>(null);
  const currentViewer =
    loadedViewer && latestBalance?.viewer === loadedViewer
      ? { ...loadedViewer, coins: latestBalance.coins }
      : loadedViewer;
  const viewer = logout === "none" ? currentViewer : null;
  const adminArea = useRouteLoaderData<{ admin: unknown }>("site/admin/admin.layout");
  const balance = useMemo(
    () => ({
      coins: viewer?.coins ?? null,
      setCoins: (coins: number) => setLatest({ viewer: loadedViewer, coins }),
    }),
    [viewer?.coins, loadedViewer],
  );
  return (
    <BalanceContext value={balance}>
      <NotificationProvider>
        <a
          href="#content"
          className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-ink px-4 py-3 font-semibold text-paper no-underline focus-visible:translate-y-0"
        >
          Skip to content
        </a>
        {isDemo ? <DemoRibbon /> : null}
        {adminArea?.admin && logout === "none" ? (
          children
        ) : (
          <>
            {/* The key closes the menu after an offline logout. */}
            <TopNavigation key={logout} viewer={viewer} />
            <main id="content" tabIndex={-1} className="min-h-[70dvh] focus-visible:outline-none">
              {logout === "none" ? children : <PendingLogout isComplete={logout === "done"} />}
            </main>
            <SiteFooter company={company} />
          </>
        )}
        <OfflineNotice />
        <DialogHost viewer={viewer} />
        {wasSignedIn ? <RestoreForm viewerName={loadedViewer?.name ?? null} /> : null}
        <Toaster />
      </NotificationProvider>
    </BalanceContext>
  );
}

function DemoRibbon() {
  return (
    <aside
      aria-label="Demo"
      className="border-b border-rule bg-warn-wash px-4 py-0.5 text-center text-2xs text-warn-ink sm:py-1 sm:text-xs"
    >
      <p>
        <strong className="font-semibold">Demo.</strong> People, horses and payments are made up.
        <span className="max-sm:sr-only"> No money changes hands.</span>
      </p>
    </aside>
  );
}
