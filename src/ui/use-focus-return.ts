import { useRef } from "react";

/**
 * Restores the focus to the element that had it before a dialog opened. Radix does so only for
 * dialogs with a trigger; these dialogs are opened by state.
 */
export function useFocusReturn() {
  const previousFocus = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      previousFocus.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      if (previousFocus.current instanceof HTMLElement && previousFocus.current.isConnected) {
        event.preventDefault();
        previousFocus.current.focus();
      }
    },
  };
}
