import { type ReactNode, useMemo, useState } from "react";
import {
  logOutLater,
  PendingLogout,
  usePendingLogout,
  useSessionSync,
} from "#identity/identity.ui.tsx";
import { deferred } from "#ui/deferred.tsx";
import { useFormDelivery } from "#ui/forms/form-delivery.ts";
import { NotificationProvider } from "#ui/notifications/notification.tsx";
import { Toaster } from "#ui/notifications/toast.tsx";
import { BalanceContext } from "#wallet/wallet.ui.tsx";
import { DialogHost } from "../dialogs/dialog-host.ui.tsx";
import { usePreloadedDialogs } from "../dialogs/use-preloaded-dialogs.ts";
import { useOfflineCopies } from "../offline/use-offline-copies.ts";
import { OfflineNotice } from "./offline-notice.ui.tsx";
import { SiteFooter } from "./site-footer.ui.tsx";
import { TopNavigation } from "./top-navigation.ui.tsx";

/** Who is here, as far as the frame has to know: nothing that names an account. */
export type FrameViewer = {
  name: string;
  /** Beyond being a user. */
  roles: readonly string[];
  coins: number;
  owedCoins: number;
};

type FrameProps = {
  viewer: FrameViewer | null;
  isDemo?: boolean;
  company?: string;
  children: ReactNode;
};

/** A logout that cannot be sent clears this browser at once, and ends the session later. */
const SUBSTITUTES = { "/logout": logOutLater };

const TypedText = deferred(() => import("./typed-text.ui.tsx").then((it) => it.TypedText), {
  Fault: () => null,
});

/** The frame itself, for pages and for what stands in a page's place when it failed. */
export function Frame({ viewer: read, isDemo = false, company, children }: FrameProps) {
  useFormDelivery(SUBSTITUTES);
  const logout = usePendingLogout();
  useSessionSync(read !== null);
  usePreloadedDialogs(read !== null);
  useOfflineCopies(read !== null);
  // Guests are spared its code; it stays while somebody signs in again.
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (read && !wasSignedIn) setWasSignedIn(true);
  // What the server has told since the viewer was read; forgotten as soon as it is read anew.
  const [told, setTold] = useState<{ after: FrameViewer | null; coins: number } | null>(null);
  const known = read && told?.after === read ? { ...read, coins: told.coins } : read;
  const viewer = logout === "none" ? known : null;
  const balance = useMemo(
    () => ({
      coins: viewer?.coins ?? null,
      tell: (coins: number) => setTold({ after: read, coins }),
    }),
    [viewer?.coins, read],
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
        {/* Closed again, where the menu was open for a logout that could not be sent. */}
        <TopNavigation key={logout} viewer={viewer} />
        <main id="content" tabIndex={-1} className="min-h-[70dvh] focus-visible:outline-none">
          {logout === "none" ? children : <PendingLogout isDone={logout === "done"} />}
        </main>
        <SiteFooter company={company} />
        <OfflineNotice />
        <DialogHost viewer={viewer} />
        {wasSignedIn ? <TypedText viewerName={read?.name ?? null} /> : null}
        <Toaster />
      </NotificationProvider>
    </BalanceContext>
  );
}

function DemoRibbon() {
  return (
    <aside
      aria-label="Demo"
      className="border-b border-rule bg-warn-wash px-4 py-1 text-center text-xs text-warn-ink"
    >
      <p>
        <strong className="font-semibold">Demo.</strong> The people, horses and payments are made
        up. No money changes hands.
      </p>
    </aside>
  );
}
