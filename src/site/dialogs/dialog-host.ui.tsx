import { useState } from "react";
import { useSearchParams } from "react-router";
import { Button } from "#ui/button.tsx";
import { buttonClasses } from "#ui/button-classes.ts";
import { createDeferredComponent, type LoadErrorProps } from "#ui/deferred.tsx";
import { DIALOG_PARAMETERS } from "#ui/dialog-link.tsx";
import { useHydrated } from "#ui/use-hydrated.ts";
import type { LayoutViewer } from "../layout/site-layout.ui.tsx";
import { buildAccountPagePath, parseAccountValue } from "./account-dialog-value.ts";
import { LoadError } from "./load-error.ui.tsx";
import { useCloseDialog } from "./use-close-dialog.ts";

/** The dialog that the URL requests, with the value of its parameter. */
export type OpenDialog = { name: (typeof DIALOG_PARAMETERS)[number]; value: string };

type DialogsProps = { open: OpenDialog | null; viewer: LayoutViewer | null };

const Dialogs = createDeferredComponent<DialogsProps>(
  () => import("./dialogs.ui.tsx").then((it) => it.Dialogs),
  {
    LoadError: DialogLoadError,
  },
);

/**
 * Shows the dialog that the URL requests. Loads the code of the dialogs when the first one opens.
 */
export function DialogHost({ viewer }: { viewer: LayoutViewer | null }) {
  const [params] = useSearchParams();
  const isHydrated = useHydrated();
  const name = DIALOG_PARAMETERS.find((parameter) => params.has(parameter));
  const open = name && isHydrated ? { name, value: params.get(name) ?? "" } : null;
  // Stays mounted for the closing animation.
  const [wasOpen, setWasOpen] = useState(false);
  if (open && !wasOpen) setWasOpen(true);
  if (name && !isHydrated)
    return <RedirectWithoutJavaScript name={name} value={params.get(name) ?? ""} />;
  if (!wasOpen) return null;
  return <Dialogs open={open} viewer={viewer} />;
}

/** Redirects a browser without JavaScript to the equivalent page. */
function RedirectWithoutJavaScript(dialog: OpenDialog) {
  return (
    <noscript>
      <meta httpEquiv="refresh" content={`0;url=${buildPagePath(dialog)}`} />
    </noscript>
  );
}

/** Replaces a dialog whose code could not be loaded. */
function DialogLoadError({ open, onRetry }: DialogsProps & LoadErrorProps) {
  const close = useCloseDialog();
  if (!open) return null;
  return (
    <section
      aria-label="We couldn't load this"
      className="fixed inset-x-0 bottom-0 z-40 border-t border-ink bg-paper px-4 pt-4 pb-12 shadow-lift sm:px-6"
    >
      <div className="mx-auto flex max-w-6xl flex-wrap items-end gap-3">
        <LoadError onRetry={onRetry} />
        <a href={buildPagePath(open)} className={buttonClasses("secondary")}>
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
function buildPagePath({ name, value }: OpenDialog): string {
  const id = encodeURIComponent(value.split(":")[0] ?? "");
  return {
    "buy-coins": id ? `/buy-coins?card=${id}` : "/buy-coins",
    unlock: `/unlock/${id}`,
    tipster: `/tipsters/${id}`,
    profile: "/profile",
    account: buildAccountPagePath(parseAccountValue(value)),
  }[name];
}
