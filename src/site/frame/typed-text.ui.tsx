import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

type Sent = {
  /** Where the form stood, and where it was sent. */
  page: string;
  action: string;
  /** By whom, as the page greeted them. */
  viewerName: string;
  fields: [name: string, value: string][];
};

/** The pages between a session that has ended and the next. */
const SIGNING_IN = ["/login", "/login/code"];
const SECRET = "[type=password], [type=hidden], [type=file], [autocomplete^=cc-]";
const FIELDS = "input, textarea, select";

/**
 * What was typed into a form whose sending found the session ended is there again once the same person
 * has signed in and come back. It is kept in this tab's memory alone, passwords not at all.
 */
export function TypedText({ viewerName }: { viewerName: string | null }): null {
  const { pathname, search } = useLocation();
  const sent = useRef<Sent | null>(null);

  useEffect(() => {
    const keep = ({ target: form }: SubmitEvent) => {
      if (viewerName === null || SIGNING_IN.includes(location.pathname)) return;
      if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
      sent.current = null;
      // Such a form restores its own draft; filling it in as well would undo that.
      if ("keepsDraft" in form.dataset) return;
      sent.current = {
        page: location.pathname,
        action: actionOf(form),
        viewerName,
        fields: fieldsOf(form).map((field) => [field.name, field.value]),
      };
    };
    document.addEventListener("submit", keep, true);
    return () => document.removeEventListener("submit", keep, true);
  }, [viewerName]);

  const hasEnded = useRef(false);
  useEffect(() => {
    if (SIGNING_IN.includes(pathname)) {
      hasEnded.current ||= new URLSearchParams(search).has("expired");
      return;
    }
    if (!hasEnded.current) return;
    hasEnded.current = false;
    const kept = sent.current;
    sent.current = null;
    if (kept && kept.viewerName === viewerName && [kept.page, kept.action].includes(pathname))
      fillIn(kept);
  }, [pathname, search, viewerName]);
  return null;
}

function fillIn({ action, fields }: Sent): void {
  const form = [...document.forms].find((each) => actionOf(each) === action);
  if (!form) return;
  for (const field of fieldsOf(form, { unchecked: true })) {
    const [, value] = fields.find(([name, value]) =>
      isChoice(field) ? name === field.name && value === field.value : name === field.name,
    ) ?? [null, null];
    if (isChoice(field)) {
      if (field.checked !== (value !== null)) field.click();
      continue;
    }
    if (value === null || value === field.value) continue;
    // Set past React, which is then told as if by typing.
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value") ?? {};
    set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function fieldsOf(form: HTMLFormElement, { unchecked = false } = {}): Field[] {
  return [...form.querySelectorAll<Field>(FIELDS)].filter(
    (field) =>
      field.name !== "" &&
      !field.matches(SECRET) &&
      (unchecked || !isChoice(field) || field.checked),
  );
}

function isChoice(field: Field): field is HTMLInputElement {
  return field instanceof HTMLInputElement && ["radio", "checkbox"].includes(field.type);
}

function actionOf(form: HTMLFormElement): string {
  return new URL(form.action).pathname;
}
