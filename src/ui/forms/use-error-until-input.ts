import { useEffect, useEffectEvent, useState } from "react";
import { useFetchers, useNavigation } from "react-router";

/**
 * Hides the error of a field once the person has changed its value, until its form is answered again, by the server or
 * by a check in the browser, or the field itself has another error. `onChange` is for the element around the field.
 */
export function useErrorUntilInput<Message>(error: Message): {
  error: Message | undefined;
  onChange: () => void;
} {
  const isSubmitting = [useNavigation(), ...useFetchers()].some(
    ({ state, formMethod }) => state !== "idle" && formMethod !== undefined && formMethod !== "GET",
  );
  const [wasSubmitting, setWasSubmitting] = useState(isSubmitting);
  // Elements are new in each render, so all of them count as the same error.
  const shown = error && typeof error === "object" ? "element" : error || null;
  const [hidden, setHidden] = useState<typeof shown>(null);
  if (wasSubmitting !== isSubmitting) {
    setWasSubmitting(isSubmitting);
    if (!isSubmitting) setHidden(null);
  }
  // An error that the field shows on blur goes while the person types, and may come back.
  useEffect(() => {
    if (shown === null) setHidden(null);
  }, [shown]);
  const onSubmit = useEffectEvent(() => {
    if (!isSubmitting) setHidden(null);
  });
  useEffect(() => {
    // A form that is sent is submitting by then.
    const onWindowSubmit = () => setTimeout(onSubmit);
    window.addEventListener("submit", onWindowSubmit);
    return () => window.removeEventListener("submit", onWindowSubmit);
  }, []);
  return {
    error: shown !== null && shown === hidden ? undefined : error,
    onChange: () => setHidden(shown),
  };
}
