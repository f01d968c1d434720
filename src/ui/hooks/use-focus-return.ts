import { useRef } from "react";

/**
 * Restores the focus to the element that had it before a dialog opened. Radix does so only for
 * dialogs with a trigger; ours are opened by state.
 */
export function useFocusReturn() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      if (before.current instanceof HTMLElement && before.current.isConnected) {
        event.preventDefault();
        before.current.focus();
      }
    },
  };
}
