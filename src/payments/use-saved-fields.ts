import { type RefObject, useEffect } from "react";

const KEY = "furlong-guest-form";
/** What is kept of the guest form: never the password, nor the agreement. */
const FIELDS = ["name", "email"];

/**
 * Keeps the name and email that a guest has typed for as long as the tab is open, so that Back from the
 * payment page finds them.
 */
export function useKeptFields(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const kept = readKept();
    for (const name of FIELDS) {
      const field = element.elements.namedItem(name);
      if (field instanceof HTMLInputElement && field.value === "") field.value = kept[name] ?? "";
    }
    const keep = () => {
      const values = new FormData(element);
      const typed = FIELDS.map((name) => [name, String(values.get(name) ?? "")]);
      try {
        sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(typed)));
      } catch {
        // A browser that keeps nothing loses nothing else by it.
      }
    };
    element.addEventListener("input", keep);
    return () => element.removeEventListener("input", keep);
  }, [form]);
}

/** Forgets what was kept, once the payment has arrived. */
export function forgetKeptFields(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

function readKept(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}
