import { DIALOG_PARAMETERS } from "#ui/dialog-link.tsx";

/**
 * Returns true for a navigation that only opens or closes a dialog, which needs no revalidation.
 */
export function isDialogOnly(args: {
  currentUrl: URL;
  nextUrl: URL;
  formMethod?: string;
}): boolean {
  if (args.formMethod && args.formMethod !== "GET") return false;
  return (
    args.currentUrl.href !== args.nextUrl.href &&
    withoutDialog(args.currentUrl) === withoutDialog(args.nextUrl)
  );
}

/** Returns the URL of a page without the parameters of dialogs. */
export function withoutDialog({ pathname, search }: { pathname: string; search: string }): string {
  const rest = new URLSearchParams(search);
  for (const name of DIALOG_PARAMETERS) rest.delete(name);
  rest.sort();
  const text = rest.toString();
  return text ? `${pathname}?${text}` : pathname;
}
