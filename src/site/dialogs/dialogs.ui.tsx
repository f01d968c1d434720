import { type ReactNode, useState } from "react";
import { Navigate } from "react-router";
import { GUEST_DEAL } from "#domain/coin-packs.ts";
import { CARD_PRICE_LABEL, countMissingCoins, formatCoins, formatRand } from "#domain/coins.ts";
import { isId } from "#domain/id.ts";
import { createDeferredComponent } from "#ui/deferred.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import type { LayoutViewer } from "../layout/site-layout.ui.tsx";
import { parseAccountValue } from "./account-dialog-value.ts";
import type { OpenDialog } from "./dialog-host.ui.tsx";
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
  // Renders the previous content during the closing animation.
  const [latestDialog, setLatestDialog] = useState(open);
  if (open && (open.name !== latestDialog?.name || open.value !== latestDialog.value))
    setLatestDialog(open);
  if (!latestDialog) return null;
  const { title, description, size, content } = describeDialog(latestDialog, viewer, open !== null);
  return (
    <Dialog
      key={latestDialog.name}
      open={open !== null}
      onOpenChange={(isNextOpen) => (isNextOpen ? undefined : close())}
      title={title}
      description={description}
      size={size}
    >
      {content}
    </Dialog>
  );
}

type DialogDetails = {
  title: string;
  description?: ReactNode;
  size?: "small" | "medium" | "large";
  content: ReactNode;
};

function describeDialog(
  { name, value }: OpenDialog,
  viewer: LayoutViewer | null,
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
            ? `A race card costs ${CARD_PRICE_LABEL}. You have ${formatCoins(viewer?.coins ?? 0)} and need ${missingCoins} more.`
            : `A race card costs ${CARD_PRICE_LABEL}. Coins never expire.`,
        // A closing dialog must not redirect, because the viewer is on the way to the sign-in page.
        content: viewer ? (
          <BuyCoins {...{ viewer, raceCardId, missingCoins }} />
        ) : isOpen ? (
          <Navigate to={REGISTER_PATH} replace />
        ) : null,
      };
    }
    case "unlock": {
      const [raceCardId = "", step] = value.split(":");
      const isPaying = step === "pay";
      return {
        title: isPaying ? "Unlock this race card" : "Login Required",
        description: isPaying
          ? `${formatRand(GUEST_DEAL.priceCents)} opens this race card and gives you ${formatCoins(GUEST_DEAL.amountCoins)} for the next one. We create your account as you pay.`
          : `A race card costs ${CARD_PRICE_LABEL}.`,
        size: "small",
        content: <GuestUnlock raceCardId={raceCardId} isPaying={isPaying} />,
      };
    }
    case "tipster":
      return { title: "Tipster Profile", content: <TipsterProfile slug={value} key={value} /> };
    case "profile":
      return { title: "User Profile", content: <Profile /> };
    case "account": {
      const account = parseAccountValue(value);
      return {
        title: account.mode === "register" ? "Create Account" : "Login",
        size: "small",
        content: <Account key={value} {...account} />,
      };
    }
  }
}
