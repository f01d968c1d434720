import { lazy, Suspense, useState } from "react";
import { useSearchParams } from "react-router";
import { DIALOG_PARAMETERS } from "#ui/dialog-link.tsx";
import { useHydrated } from "#ui/use-hydrated.ts";
import type { FrameViewer } from "./frame.ui.tsx";

const Dialogs = lazy(() => import("./dialogs.ui.tsx").then((it) => ({ default: it.Dialogs })));

/** Which dialog an address asks for, and about what. */
export type OpenDialog = { name: (typeof DIALOG_PARAMETERS)[number]; value: string };

/** Shows the dialog that the address asks for; the code of dialogs comes with the first of them. */
export function DialogHost({ viewer }: { viewer: FrameViewer | null }) {
  const [params] = useSearchParams();
  const isHydrated = useHydrated();
  const name = DIALOG_PARAMETERS.find((each) => params.has(each));
  const open = name && isHydrated ? { name, value: params.get(name) ?? "" } : null;
  // While it closes, and afterwards, its code stays.
  const [wasOpen, setWasOpen] = useState(false);
  if (open && !wasOpen) setWasOpen(true);
  if (name && !isHydrated) return <WithoutScripts name={name} value={params.get(name) ?? ""} />;
  if (!wasOpen) return null;
  return (
    <Suspense fallback={null}>
      <Dialogs open={open} viewer={viewer} />
    </Suspense>
  );
}

/** Leads a browser that runs no scripts on to the page that shows what the dialog would. */
function WithoutScripts({ name, value }: OpenDialog) {
  const about = encodeURIComponent(value);
  const page = {
    "buy-coins": "/buy-coins",
    unlock: `/unlock/${about}`,
    tipster: `/tipsters/${about}`,
    profile: "/profile",
    account: "/login",
  }[name];
  return (
    <noscript>
      <meta httpEquiv="refresh" content={`0;url=${page}`} />
    </noscript>
  );
}
