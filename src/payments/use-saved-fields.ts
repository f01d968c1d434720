import { type RefObject, useEffect } from "react";

const STORAGE_KEY = "furlong-guest-form";
/** Fields of the guest form that are saved; never the password or the agreement. */
const SAVED_FIELDS = ["name", "email"];

/**
 * Saves the guest's name and email in session storage, so that they are still filled in after returning
 * from the payment page.
 */
export function useSavedFields(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const savedValues = readSavedValues();
    for (const name of SAVED_FIELDS) {
      const field = element.elements.namedItem(name);
      if (field instanceof HTMLInputElement && field.value === "")
        field.value = savedValues[name] ?? "";
    }
    const save = () => {
      const values = new FormData(element);
      const entries = SAVED_FIELDS.map((name) => [name, String(values.get(name) ?? "")]);
      try {
        sessionStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(entries)));
      } catch {
        // Without storage the form still works; the fields are only not restored.
      }
    };
    element.addEventListener("input", save);
    return () => element.removeEventListener("input", save);
  }, [form]);
}

/** Clears the saved fields after the payment. */
export function clearSavedFields(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Nothing was saved.
  }
}

function readSavedValues(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}");
  } catch {
    return {};
  }
}
