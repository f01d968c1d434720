import { useEffect, useRef } from "react";

/** Gives a form's first wrong field the focus when an answer has come. */
export function useFocusFirstError(answer: unknown) {
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is looked at once
  useEffect(() => {
    const field = form.current?.querySelector<HTMLInputElement>("[aria-invalid=true]");
    field?.focus();
    // The label above it too, which the browser leaves behind the masthead.
    field?.labels?.[0]?.scrollIntoView({ block: "nearest" });
  }, [answer]);
  return form;
}

/** Gives the focus to what has taken a form's place, so that it is in sight and read out. */
export function useFocusOnMount<Element extends HTMLElement>() {
  const arrived = useRef<Element>(null);
  useEffect(() => {
    arrived.current?.focus({ preventScroll: true });
    arrived.current?.scrollIntoView({ block: "center" });
  }, []);
  return arrived;
}
