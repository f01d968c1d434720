import { createContext, type ReactNode, use, useEffect, useEffectEvent, useState } from "react";
import { useFetchers, useNavigation } from "react-router";

const SubmissionsContext = createContext(0);

/** Counts the submissions of the forms in it that were answered, by the server or by a check in the browser. */
export function Submissions({ children }: { children: ReactNode }) {
  const navigation = useNavigation();
  const isSubmitting = [navigation, ...useFetchers()].some(
    ({ state, formMethod }) => state !== "idle" && formMethod !== undefined && formMethod !== "GET",
  );
  const [wasSubmitting, setWasSubmitting] = useState(isSubmitting);
  const [count, setCount] = useState(0);
  if (wasSubmitting !== isSubmitting) {
    setWasSubmitting(isSubmitting);
    if (!isSubmitting) setCount(count + 1);
  }
  const countUnsent = useEffectEvent(() => {
    if (!isSubmitting) setCount((previous) => previous + 1);
  });
  useEffect(() => {
    const onSubmit = () => setTimeout(countUnsent);
    window.addEventListener("submit", onSubmit);
    return () => window.removeEventListener("submit", onSubmit);
  }, []);
  return <SubmissionsContext value={count}>{children}</SubmissionsContext>;
}

/**
 * Hides the error of a field once the person has changed its value, until the form is submitted again. `onInput` is for
 * the element around the field.
 */
export function useErrorUntilInput<Message>(error: Message): {
  error: Message | undefined;
  onInput: () => void;
} {
  const submissions = use(SubmissionsContext);
  const [changedAfter, setChangedAfter] = useState<number | null>(null);
  return {
    error: changedAfter === submissions ? undefined : error,
    onInput: () => setChangedAfter(submissions),
  };
}
