import type { ComponentProps, MouseEvent } from "react";
import { Link, type LinkProps, useLocation, useNavigate } from "react-router";

type DialogLinkProps = Omit<LinkProps, "to"> & {
  /** The page with the same content, used without JavaScript and in a new tab. */
  to: string;
  /** The search parameter that opens the dialog over this page: `tipster=thandi`. */
  dialogParameter: string;
  /** Navigates to the page on phones, where the dialog would fill the screen. */
  isPageOnPhones?: boolean;
};

/** Marks a history entry as a dialog, so that closing it navigates back to the page below. */
export type DialogState = { isDialog: true };

/** Returns a query string with the parameters of a dialog, without those of other dialogs. */
export function addDialogToSearch(
  search: string,
  dialogParameter: string,
  otherParameters: readonly string[],
): string {
  const params = new URLSearchParams(search);
  for (const name of otherParameters) params.delete(name);
  const rest = params.toString();
  return `?${rest ? `${rest}&` : ""}${dialogParameter}`;
}

/** The parameters that open a dialog over any page with the site layout. */
export const DIALOG_PARAMETERS = ["buy-coins", "unlock", "tipster", "profile", "account"] as const;

/** A link to a page that opens as a dialog over the current page when scripts run. */
export function DialogLink({
  to,
  dialogParameter,
  isPageOnPhones = false,
  onClick,
  ...rest
}: DialogLinkProps) {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlainClick =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlainClick) return;
    if (isPageOnPhones && matchMedia("(max-width: 639px)").matches) return;
    event.preventDefault();
    navigate(
      { search: addDialogToSearch(search, dialogParameter, DIALOG_PARAMETERS) },
      {
        state: { isDialog: true } satisfies DialogState,
        // Another dialog replaces the current one: closing it returns to the page.
        replace: (state as DialogState | null)?.isDialog === true,
        preventScrollReset: true,
      },
    );
  };
  return <Link discover="none" {...rest} to={to} onClick={open} data-dialog="" />;
}

/** A link to a creator's page, which opens as a dialog over the current page except on phones. */
export function TipsterLink({
  slug,
  ...rest
}: { slug: string } & Pick<ComponentProps<"a">, "className" | "children">) {
  return (
    <DialogLink
      {...rest}
      to={`/tipsters/${slug}`}
      dialogParameter={`tipster=${slug}`}
      isPageOnPhones
    />
  );
}
