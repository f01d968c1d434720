import { DIALOG_PARAMETERS } from "#ui/dialog-link.tsx";

/** Whether a step changes nothing but which dialog is open: then no page is read anew. */
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

/** The address of the page itself, whatever dialog is open over it. */
export function withoutDialog({ pathname, search }: { pathname: string; search: string }): string {
  const rest = new URLSearchParams(search);
  for (const name of DIALOG_PARAMETERS) rest.delete(name);
  rest.sort();
  const text = rest.toString();
  return text ? `${pathname}?${text}` : pathname;
}
