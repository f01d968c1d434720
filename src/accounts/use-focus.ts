import { useEffect, useRef } from "react";
import { useResponse } from "#ui/forms/use-response.ts";

/** Focuses the first invalid field of a form when a result arrives. */
export function useFocusFirstError(result: unknown) {
  const form = useRef<HTMLFormElement>(null);
  useResponse(result, () => {
    const field = form.current?.querySelector<HTMLInputElement>("[aria-invalid=true]");
    field?.focus();
    // Also scrolls to the label, which the sticky header would otherwise cover.
    field?.labels?.[0]?.scrollIntoView({ block: "nearest" });
  });
  return form;
}

/**
 * Focuses the element that replaces a form, so that it is visible and announced by screen readers.
 */
export function useFocusOnMount<Element extends HTMLElement>() {
  const element = useRef<Element>(null);
  useEffect(() => {
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: "center" });
  }, []);
  return element;
}
