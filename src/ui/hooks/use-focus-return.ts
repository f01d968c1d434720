import { useRef } from "react";

/**
 * Gives the focus back to what had it before a dialog opened. Radix does so only for dialogs with a
 * trigger of their own; ours are opened by state.
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
