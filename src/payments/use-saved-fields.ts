import { type RefObject, useEffect } from "react";
import { readStored, writeStored } from "#platform/browser-features.ts";

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
      writeStored("session", STORAGE_KEY, JSON.stringify(Object.fromEntries(entries)));
    };
    element.addEventListener("input", save);
    return () => element.removeEventListener("input", save);
  }, [form]);
}

/** Clears the saved fields after the payment. */
export function clearSavedFields(): void {
  writeStored("session", STORAGE_KEY, null);
}

function readSavedValues(): Record<string, string> {
  try {
    return JSON.parse(readStored("session", STORAGE_KEY) ?? "{}");
  } catch {
    return {};
  }
}
