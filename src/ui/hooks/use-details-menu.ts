import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Returns the ref of a `details` element that is a menu: a navigation, Escape and a press outside close it.
 * Escape returns the focus to its summary.
 */
export function useDetailsMenu(): RefObject<HTMLDetailsElement | null> {
  const menu = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();
  const shownKey = useRef(key);

  // With the new page, not after it: a menu that was opened on the new page, or before the scripts started, stays open.
  useLayoutEffect(() => {
    if (menu.current && key !== shownKey.current) menu.current.open = false;
    shownKey.current = key;
  }, [key]);
  useEffect(() => {
    const close = (event: Event) => {
      const details = menu.current;
      if (!details?.open) return;
      const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
      if (isEscape) details.querySelector("summary")?.focus();
      if (isEscape || (event.type === "pointerdown" && !details.contains(event.target as Node)))
        details.open = false;
    };
    document.addEventListener("keydown", close);
    document.addEventListener("pointerdown", close);
    return () => {
      document.removeEventListener("keydown", close);
      document.removeEventListener("pointerdown", close);
    };
  }, []);
  return menu;
}
