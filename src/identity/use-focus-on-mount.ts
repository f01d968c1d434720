import { useEffect, useRef } from "react";

/** Gives the focus to what has taken a form's place, so that it is in sight and read out. */
export function useFocusOnMount<Element extends HTMLElement>() {
  const arrived = useRef<Element>(null);
  useEffect(() => {
    arrived.current?.focus({ preventScroll: true });
    arrived.current?.scrollIntoView({ block: "center" });
  }, []);
  return arrived;
}
