import type { MouseEvent } from "react";
import { Link, type LinkProps, useLocation, useNavigate } from "react-router";

type DialogLinkProps = Omit<LinkProps, "to"> & {
  /** The page that shows the same, for those without scripts and for a new tab. */
  to: string;
  /** What the address gets so that the dialog opens over this page: `tipster=thandi`. */
  opens: string;
};

/** Marks a step in the history as a dialog, so that closing it steps back to the page under it. */
export type DialogState = {
  isDialog: true;
  /** How many steps of this dialog lead from the page to what it shows now; one where not said. */
  steps?: number;
};

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
    const under = state as DialogState | null;
    const steps = under?.steps ?? 1;
    // The next step of the same dialog, which Back leads out of: 'unlock=7:pay' after 'unlock=7'.
    const [name = ""] = opens.split("=");
    const shown = new URLSearchParams(search).get(name);
    const isNextStep = under?.isDialog === true && opens.startsWith(`${name}=${shown}:`);
    navigate(
      { search: searchWith(search, opens, DIALOG_PARAMETERS) },
      {
        state: {
          isDialog: true,
          steps: isNextStep ? steps + 1 : under?.isDialog ? steps : 1,
        } satisfies DialogState,
        // From one dialog to another: closing either leads back to the page.
        replace: under?.isDialog === true && !isNextStep,
        preventScrollReset: true,
      },
    );
  };
  return <Link {...rest} to={to} onClick={open} />;
}
