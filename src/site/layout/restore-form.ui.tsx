import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

type SubmittedForm = {
  /** The paths of the page and of the form's action. */
  page: string;
  action: string;
  viewerName: string;
  fields: [name: string, value: string][];
};

const SIGN_IN_PATHS = ["/login", "/login/code"];
const SENSITIVE_FIELDS =
  "[type=password], [type=hidden], [type=file], [autocomplete^=cc-], [name=documentNumber]";
const FIELDS = "input, textarea, select";

/**
 * Restores the fields of a form whose submission found the session expired, once the same person
 * has signed in and returned. Holds them in memory only, without passwords.
 */
export function RestoreForm({ viewerName }: { viewerName: string | null }): null {
  const { pathname, search } = useLocation();
  const submitted = useRef<SubmittedForm | null>(null);

  useEffect(() => {
    const storeForm = ({ target: form }: SubmitEvent) => {
      if (viewerName === null || SIGN_IN_PATHS.includes(location.pathname)) return;
      if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
      submitted.current = null;
      // This form restores its own draft.
      if ("keepsDraft" in form.dataset) return;
      submitted.current = {
        page: location.pathname,
        action: readActionPath(form),
        viewerName,
        fields: listFields(form).map((field) => [field.name, field.value]),
      };
    };
    document.addEventListener("submit", storeForm, true);
    return () => document.removeEventListener("submit", storeForm, true);
  }, [viewerName]);

  const hasExpired = useRef(false);
  useEffect(() => {
    if (SIGN_IN_PATHS.includes(pathname)) {
      hasExpired.current ||= new URLSearchParams(search).has("expired");
      return;
    }
    if (!hasExpired.current) return;
    hasExpired.current = false;
    const form = submitted.current;
    submitted.current = null;
    if (form && form.viewerName === viewerName && [form.page, form.action].includes(pathname))
      restoreFields(form);
  }, [pathname, search, viewerName]);
  return null;
}

function restoreFields({ action, fields }: SubmittedForm): void {
  const form = [...document.forms].find((candidate) => readActionPath(candidate) === action);
  if (!form) return;
  for (const field of listFields(form, { unchecked: true })) {
    const [, value] = fields.find(([name, value]) =>
      isCheckable(field) ? name === field.name && value === field.value : name === field.name,
    ) ?? [null, null];
    if (isCheckable(field)) {
      if (field.checked !== (value !== null)) field.click();
      continue;
    }
    if (value === null || value === field.value) continue;
    // Sets the DOM value directly; the events notify React.
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value") ?? {};
    set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function listFields(form: HTMLFormElement, { unchecked: includeUnchecked = false } = {}): Field[] {
  return [...form.querySelectorAll<Field>(FIELDS)].filter(
    (field) =>
      field.name !== "" &&
      !field.matches(SENSITIVE_FIELDS) &&
      (includeUnchecked || !isCheckable(field) || field.checked),
  );
}

function isCheckable(field: Field): field is HTMLInputElement {
  return field instanceof HTMLInputElement && ["radio", "checkbox"].includes(field.type);
}

function readActionPath(form: HTMLFormElement): string {
  return new URL(form.action).pathname;
}
