import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router";
import { closeMenus } from "./close-menus.ts";

/** Returns the properties of a `details` element that is a menu: a navigation, Escape and a press outside close it. */
export function useDetailsMenu() {
  const ref = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();
  const shownKey = useRef(key);

  // With the new page, not after it: a menu that was opened on the new page, or before the scripts started, stays open.
  useLayoutEffect(() => {
    if (ref.current && key !== shownKey.current) ref.current.open = false;
    shownKey.current = key;
  }, [key]);
  // The page's inline script has called it, except in development.
  useEffect(closeMenus, []);
  return { ref, "data-menu": true };
}
