import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import type { SavedDraft } from "#platform/draft-store.ts";
import { readFormValues } from "#platform/parse-form.ts";
import { type FormDraft, findFormDraft, removeFormDraft, saveFormDraft } from "./form-draft.ts";

const SAVE_DELAY_MS = 400;

type FormDraftOptions = {
  adminId: string;
  /** The path of the form, to which the admin returns after logging in. */
  path: string;
  /** The version of the data that the form shows. */
  version: string;
  form: RefObject<HTMLFormElement | null>;
};

/** A draft that was found when the form was opened. */
export type FoundFormDraft = {
  savedAt: Date;
  isFilledIn: boolean;
  fillIn: () => void;
  discard: () => void;
};

/**
 * Saves on this device what an admin types into a form, so that it is not lost when the session ends. When the form is
 * opened again, `values` are those of its draft. A draft of an older version of the data is not filled in before the
 * admin asks for it. The fields must be mounted again when `fillKey` changes.
 */
export function useFormDraft({ adminId, path, version, form }: FormDraftOptions) {
  const [saved, setSaved] = useState<SavedDraft<FormDraft> | null>(null);
  const [values, setValues] = useState<Record<string, string>>();
  const opened = useRef(version);
  const latest = useRef(version);
  latest.current = version;
  const isChanged = useRef(false);

  useEffect(() => {
    const draft = findFormDraft(adminId, path);
    setSaved(draft);
    setValues(draft?.draft.version === opened.current ? draft.draft.values : undefined);
  }, [adminId, path]);

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout>;
    const saveNow = () => {
      clearTimeout(timer);
      if (!isChanged.current) return;
      isChanged.current = false;
      const typed = readFormValues(new FormData(element));
      saveFormDraft(adminId, { path, version: latest.current, values: typed });
    };
    const save = () => {
      isChanged.current = true;
      clearTimeout(timer);
      timer = setTimeout(saveNow, SAVE_DELAY_MS);
    };
    // At once, because the answer may be the page to log in.
    const saveBeforeSubmit = () => {
      isChanged.current = true;
      saveNow();
    };
    element.addEventListener("input", save);
    element.addEventListener("submit", saveBeforeSubmit);
    window.addEventListener("pagehide", saveNow);
    return () => {
      saveNow();
      element.removeEventListener("input", save);
      element.removeEventListener("submit", saveBeforeSubmit);
      window.removeEventListener("pagehide", saveNow);
    };
  }, [adminId, path, form]);

  /** Removes the draft from the device once the form was saved, and leaves the fields as they are. */
  const remove = useCallback(() => {
    isChanged.current = false;
    removeFormDraft(adminId, path);
  }, [adminId, path]);
  /** Removes the draft and shows the stored values. */
  const discard = useCallback(() => {
    remove();
    setSaved(null);
    setValues(undefined);
  }, [remove]);

  const found: FoundFormDraft | null = saved && {
    savedAt: new Date(saved.savedAt),
    isFilledIn: values !== undefined,
    fillIn: () => setValues(saved.draft.values),
    discard,
  };
  return { values, fillKey: values ? "draft" : "stored", found, remove, discard };
}

/** Removes the draft of a form when its submission leads to a page whose search parameter says that this form was saved. */
export function useDraftUntilSaved({
  adminId,
  path,
  param,
  value,
}: Pick<FormDraftOptions, "adminId" | "path"> & { param: string; value: string }): void {
  const { location } = useNavigation();
  // The pages of other forms say what was saved before them.
  const isSaved = new URLSearchParams(location?.search).get(param) === value;
  useEffect(() => {
    if (isSaved) removeFormDraft(adminId, path);
  }, [isSaved, adminId, path]);
}
