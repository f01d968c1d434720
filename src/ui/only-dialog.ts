import { DIALOG_PARAMETERS } from "#ui/dialog-link.tsx";

/**
 * Returns true for a navigation that only opens or closes a dialog, which needs no revalidation.
 */
export function isDialogOnly(step: {
  currentUrl: URL;
  nextUrl: URL;
  formMethod?: string;
}): boolean {
  if (step.formMethod && step.formMethod !== "GET") return false;
  return (
    step.currentUrl.href !== step.nextUrl.href &&
    withoutDialog(step.currentUrl) === withoutDialog(step.nextUrl)
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
