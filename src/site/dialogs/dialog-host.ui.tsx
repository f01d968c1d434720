import { useState } from "react";
import { useSearchParams } from "react-router";
import { Button } from "#ui/button.tsx";
import { buttonClasses } from "#ui/button-classes.ts";
import { deferred, type LoadErrorProps } from "#ui/deferred.tsx";
import { DIALOG_PARAMETERS } from "#ui/dialog-link.tsx";
import { useHydrated } from "#ui/hooks/use-hydrated.ts";
import type { FrameViewer } from "../frame/frame.ui.tsx";
import { accountPage, parseAccountValue } from "./account-dialog-value.ts";
import { LoadFault } from "./load-fault.ui.tsx";
import { useCloseDialog } from "./use-close-dialog.ts";

/** The dialog that the URL requests, with the value of its parameter. */
export type OpenDialog = { name: (typeof DIALOG_PARAMETERS)[number]; value: string };

type DialogsProps = { open: OpenDialog | null; viewer: FrameViewer | null };

const Dialogs = deferred<DialogsProps>(() => import("./dialogs.ui.tsx").then((it) => it.Dialogs), {
  LoadError: DialogFault,
});

/**
 * Shows the dialog that the URL requests. Loads the code of the dialogs when the first one opens.
 */
export function DialogHost({ viewer }: { viewer: FrameViewer | null }) {
  const [params] = useSearchParams();
  const isHydrated = useHydrated();
  const name = DIALOG_PARAMETERS.find((each) => params.has(each));
  const open = name && isHydrated ? { name, value: params.get(name) ?? "" } : null;
  // Stays mounted for the closing animation.
  const [wasOpen, setWasOpen] = useState(false);
  if (open && !wasOpen) setWasOpen(true);
  if (name && !isHydrated) return <WithoutScripts name={name} value={params.get(name) ?? ""} />;
  if (!wasOpen) return null;
  return <Dialogs open={open} viewer={viewer} />;
}

/** Redirects a browser without scripts to the equivalent page. */
function WithoutScripts(dialog: OpenDialog) {
  return (
    <noscript>
      <meta httpEquiv="refresh" content={`0;url=${pageOf(dialog)}`} />
    </noscript>
  );
}

/** Replaces a dialog whose code could not be loaded. */
function DialogFault({ open, onRetry }: DialogsProps & LoadErrorProps) {
  const close = useCloseDialog();
  if (!open) return null;
  return (
    <section
      aria-label="We couldn't load this"
      className="fixed inset-x-0 bottom-0 z-40 border-t border-ink bg-paper px-4 pt-4 pb-12 shadow-lift sm:px-6"
    >
      <div className="mx-auto flex max-w-6xl flex-wrap items-end gap-3">
        <LoadFault onRetry={onRetry} />
        <a href={pageOf(open)} className={buttonClasses("secondary")}>
          Open the full page
        </a>
        <Button variant="secondary" onClick={close}>
          Close
        </Button>
      </div>
    </section>
  );
}

/** Returns the URL of the page that is equivalent to a dialog. */
function pageOf({ name, value }: OpenDialog): string {
  const id = encodeURIComponent(value.split(":")[0] ?? "");
  return {
    "buy-coins": "/buy-coins",
    unlock: `/unlock/${id}`,
    tipster: `/tipsters/${id}`,
    profile: "/profile",
    account: accountPage(parseAccountValue(value)),
  }[name];
}
