import { type ReactNode, useState } from "react";
import { Navigate } from "react-router";
import { formatCardPrice, type PriceList } from "#domain/coin-packs.ts";
import { countMissingCoins, formatCoins } from "#domain/coins.ts";
import { isId } from "#domain/id.ts";
import { createDeferredComponent } from "#ui/deferred.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { DialogLink } from "#ui/dialog-link.tsx";
import { usePrices } from "#ui/prices.ts";
import { Skeleton } from "#ui/skeleton.tsx";
import type { LayoutViewer } from "../layout/site-layout.ui.tsx";
import { buildAccountPagePath, parseAccountValue } from "./account-dialog-value.ts";
import type { OpenDialog } from "./dialog-host.ui.tsx";
import { GuestUnlockDescription, GuestUnlockTitle } from "./guest-unlock-title.ui.tsx";
import { LoadError } from "./load-error.ui.tsx";
import { useCloseDialog } from "./use-close-dialog.ts";

function DialogSkeleton() {
  return (
    <div className="grid gap-3">
      <Skeleton label="Loading" className="h-16 w-full" />
      <Skeleton className="h-8 w-2/3" />
      <Skeleton className="h-24 w-full" />
    </div>
  );
}

const loadOptions = { fallback: <DialogSkeleton />, LoadError: LoadError };
const BuyCoins = createDeferredComponent(
  () => import("./buy-coins-dialog.ui.tsx").then((it) => it.default),
  loadOptions,
);
const GuestUnlock = createDeferredComponent(
  () => import("./guest-unlock-dialog.ui.tsx").then((it) => it.default),
  loadOptions,
);
const TipsterProfile = createDeferredComponent(
  () => import("../tipsters/tipster-dialog.ui.tsx").then((it) => it.default),
  loadOptions,
);
const Profile = createDeferredComponent(
  () => import("../profile/profile-dialog.ui.tsx").then((it) => it.default),
  loadOptions,
);
const Account = createDeferredComponent(
  () => import("./account-dialog.ui.tsx").then((it) => it.default),
  loadOptions,
);

/** Loads the dialogs that a signed-in viewer is likely to open. */
export async function preloadDialogs(): Promise<void> {
  await Promise.all([BuyCoins.preload(), Profile.preload(), TipsterProfile.preload()]);
}

const REGISTER_PATH = "/login?mode=register&return=buy-coins";

type DialogsProps = { open: OpenDialog | null; viewer: LayoutViewer | null };

/** The open dialog. Only the URL opens and closes it, so the Back button closes it too. */
export function Dialogs({ open, viewer }: DialogsProps) {
  const close = useCloseDialog();
  const prices = usePrices();
  // Renders the previous content during the closing animation.
  const [latestDialog, setLatestDialog] = useState(open);
  if (open && (open.name !== latestDialog?.name || open.value !== latestDialog.value))
    setLatestDialog(open);
  if (!latestDialog) return null;
  const { content, ...details } = describeDialog(latestDialog, viewer, prices, open !== null);
  return (
    <Dialog
      key={latestDialog.name}
      open={open !== null}
      onOpenChange={(isNextOpen) => (isNextOpen ? undefined : close())}
      {...details}
    >
      {content}
    </Dialog>
  );
}

type DialogDetails = {
  title: ReactNode;
  description?: ReactNode;
  aside?: ReactNode;
  isSheet?: boolean;
  size?: "small" | "medium" | "large";
  content: ReactNode;
};

function describeDialog(
  { name, value }: OpenDialog,
  viewer: LayoutViewer | null,
  prices: PriceList,
  isOpen: boolean,
): DialogDetails {
  switch (name) {
    case "buy-coins": {
      const raceCardId = isId(value) ? value : undefined;
      const missingCoins =
        raceCardId && viewer
          ? countMissingCoins({ balanceCoins: viewer.coins, owedCoins: viewer.owedCoins })
          : 0;
      return {
        title: missingCoins > 0 ? "Insufficient Coins" : "Buy Coins",
        description:
          missingCoins > 0
            ? `A race card costs ${formatCardPrice(prices)}. You have ${formatCoins(viewer?.coins ?? 0)} and need ${missingCoins} more.`
            : `A race card costs ${formatCardPrice(prices)}. Coins never expire.`,
        // A closing dialog must not redirect, because the viewer is on the way to the sign-in page.
        content: viewer ? (
          <BuyCoins {...{ viewer, raceCardId, missingCoins }} />
        ) : isOpen ? (
          <Navigate to={REGISTER_PATH} replace />
        ) : null,
      };
    }
    case "unlock": {
      const [raceCardId = ""] = value.split(":");
      const signIn = { mode: "sign-in", raceCardId } as const;
      return {
        title: <GuestUnlockTitle raceCardId={raceCardId} />,
        description: <GuestUnlockDescription raceCardId={raceCardId} />,
        aside: (
          <DialogLink
            to={buildAccountPagePath(signIn)}
            dialogParameter={`account=sign-in:${raceCardId}`}
            className="link inline-flex min-h-11 items-center rounded-sm"
          >
            I have an account
          </DialogLink>
        ),
        size: "small",
        isSheet: true,
        content: <GuestUnlock key={raceCardId} raceCardId={raceCardId} />,
      };
    }
    case "tipster":
      return { title: "Tipster Profile", content: <TipsterProfile slug={value} key={value} /> };
    case "profile":
      return { title: "User Profile", content: <Profile /> };
    case "account": {
      const account = parseAccountValue(value);
      return {
        title:
          account.mode === "register"
            ? "Create Account"
            : account.isExpired
              ? "Login Required"
              : "Login",
        size: "small",
        content: <Account key={value} {...account} />,
      };
    }
  }
}
