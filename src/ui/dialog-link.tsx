import type { MouseEvent } from "react";
import { Link, type LinkProps, useLocation, useNavigate } from "react-router";

type DialogLinkProps = Omit<LinkProps, "to"> & {
  /** The page that shows the same, for those without scripts and for a new tab. */
  to: string;
  /** What the address gets so that the dialog opens over this page: `tipster=thandi`. */
  opens: string;
};

/** Marks a step in the history as a dialog, so that closing it steps back. */
export type DialogState = { isDialog: true };

/** The search part of an address with a dialog's parameters added, other dialogs' taken off. */
export function searchWith(search: string, opens: string, others: readonly string[]): string {
  const kept = new URLSearchParams(search);
  for (const name of others) kept.delete(name);
  const rest = kept.toString();
  return `?${rest ? `${rest}&` : ""}${opens}`;
}

/** The parameters that open a dialog over any page of the frame. */
export const DIALOG_PARAMETERS = ["buy-coins", "unlock", "tipster", "profile", "account"] as const;

/** A link to a page that, where scripts run, opens as a dialog over the one in sight. */
export function DialogLink({ to, opens, onClick, ...rest }: DialogLinkProps) {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    const isOverDialog = (state as DialogState | null)?.isDialog === true;
    navigate(
      { search: searchWith(search, opens, DIALOG_PARAMETERS) },
      {
        state: { isDialog: true } satisfies DialogState,
        // From one dialog to the next: closing either leads back to the page.
        replace: isOverDialog,
        preventScrollReset: true,
      },
    );
  };
  return <Link {...rest} to={to} onClick={open} />;
}
