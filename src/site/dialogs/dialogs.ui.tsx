import { type ReactNode, useState } from "react";
import { Navigate } from "react-router";
import { GUEST_DEAL } from "#domain/coin-packs.ts";
import { CARD_PRICE_LABEL, formatCoins, formatRand } from "#domain/coins.ts";
import { deferred } from "#ui/deferred.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import type { FrameViewer } from "../frame/frame.ui.tsx";
import { readAccountValue } from "./account-dialog-value.ts";
import type { OpenDialog } from "./dialog-host.ui.tsx";
import { LoadFault } from "./load-fault.ui.tsx";
import { useCloseDialog } from "./use-close-dialog.ts";

function Waiting() {
  return (
    <div className="grid gap-3">
      <Skeleton label="Loading" className="h-16 w-full" />
      <Skeleton className="h-8 w-2/3" />
      <Skeleton className="h-24 w-full" />
    </div>
  );
}

const inPlace = { waiting: <Waiting />, Fault: LoadFault };
const BuyCoins = deferred(
  () => import("./buy-coins-dialog.ui.tsx").then((it) => it.default),
  inPlace,
);
const GuestUnlock = deferred(
  () => import("./guest-unlock-dialog.ui.tsx").then((it) => it.default),
  inPlace,
);
const TipsterProfile = deferred(
  () => import("../tipsters/tipster-dialog.ui.tsx").then((it) => it.default),
  inPlace,
);
const Profile = deferred(
  () => import("../profile/profile-dialog.ui.tsx").then((it) => it.default),
  inPlace,
);
const Account = deferred(() => import("./account-dialog.ui.tsx").then((it) => it.default), inPlace);

/** Fetches what somebody who is signed in may press next. */
export async function preloadDialogs(): Promise<void> {
  await Promise.all([BuyCoins.preload(), Profile.preload(), TipsterProfile.preload()]);
}

const REGISTER_FIRST = "/login?mode=register&return=buy-coins";

type DialogsProps = { open: OpenDialog | null; viewer: FrameViewer | null };

/** The dialog over the page, opened and closed by the address alone, so that Back closes it. */
export function Dialogs({ open, viewer }: DialogsProps) {
  const close = useCloseDialog();
  // What is closing still has to be drawn.
  const [latest, setLatest] = useState(open);
  if (open && (open.name !== latest?.name || open.value !== latest.value)) setLatest(open);
  if (!latest) return null;
  const { title, description, size, content } = dialogOf(latest, viewer, open !== null);
  return (
    <Dialog
      key={latest.name}
      open={open !== null}
      onOpenChange={(next) => (next ? undefined : close())}
      title={title}
      description={description}
      size={size}
    >
      {content}
    </Dialog>
  );
}

type Described = {
  title: string;
  description?: ReactNode;
  size?: "small" | "medium" | "large";
  content: ReactNode;
};

function dialogOf(
  { name, value }: OpenDialog,
  viewer: FrameViewer | null,
  isOpen: boolean,
): Described {
  switch (name) {
    case "buy-coins":
      return {
        title: "Buy Coins",
        description: `A race card costs ${CARD_PRICE_LABEL}. Coins never expire.`,
        size: "large",
        // One that is closing, because somebody goes to sign in, leads nowhere else any more.
        content: viewer ? (
          <BuyCoins viewer={viewer} />
        ) : isOpen ? (
          <Navigate to={REGISTER_FIRST} replace />
        ) : null,
      };
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
      const account = readAccountValue(value);
      return {
        title: account.mode === "register" ? "Create Account" : "Login",
        size: "small",
        content: <Account key={value} {...account} />,
      };
    }
  }
}
