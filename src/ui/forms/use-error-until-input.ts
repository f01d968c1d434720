import { useEffect, useEffectEvent, useState } from "react";
import { useFetchers, useNavigation } from "react-router";

/**
 * Hides the error of a field once the person has changed its value, until its form is answered again, by the server or
 * by a check in the browser. `onChange` is for the element around the field.
 */
export function useErrorUntilInput<Message>(error: Message): {
  error: Message | undefined;
  onChange: () => void;
} {
  const isSubmitting = [useNavigation(), ...useFetchers()].some(
    ({ state, formMethod }) => state !== "idle" && formMethod !== undefined && formMethod !== "GET",
  );
  const [wasSubmitting, setWasSubmitting] = useState(isSubmitting);
  const [isChanged, setIsChanged] = useState(false);
  if (wasSubmitting !== isSubmitting) {
    setWasSubmitting(isSubmitting);
    if (!isSubmitting) setIsChanged(false);
  }
  // An error that the field itself shows on blur goes while the person types, and may come back.
  if (isChanged && !error) setIsChanged(false);
  const onSubmit = useEffectEvent(() => {
    if (!isSubmitting) setIsChanged(false);
  });
  useEffect(() => {
    // A form that is sent is submitting by then.
    const onWindowSubmit = () => setTimeout(onSubmit);
    window.addEventListener("submit", onWindowSubmit);
    return () => window.removeEventListener("submit", onWindowSubmit);
  }, []);
  return { error: isChanged ? undefined : error, onChange: () => setIsChanged(true) };
}
