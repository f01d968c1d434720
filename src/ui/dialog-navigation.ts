import { DIALOG_PARAMETERS } from "#ui/dialog-link.tsx";

/**
 * Returns true for a navigation that only opens or closes a dialog, which needs no revalidation.
 */
export function isDialogNavigation(args: {
  currentUrl: URL;
  nextUrl: URL;
  formMethod?: string;
}): boolean {
  if (args.formMethod && args.formMethod !== "GET") return false;
  return (
    args.currentUrl.href !== args.nextUrl.href &&
    removeDialogParameters(args.currentUrl) === removeDialogParameters(args.nextUrl)
  );
}

/** Returns the URL of a page without the parameters of dialogs. */
export function removeDialogParameters({
  pathname,
  search,
}: {
  pathname: string;
  search: string;
}): string {
  const params = new URLSearchParams(search);
  for (const name of DIALOG_PARAMETERS) params.delete(name);
  params.sort();
  const rest = params.toString();
  return rest ? `${pathname}?${rest}` : pathname;
}
