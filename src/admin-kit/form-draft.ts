import { listDrafts, removeDraft, type SavedDraft, saveDraft } from "#platform/draft-store.ts";

/** What an admin typed into a form. Its key is the path of the form. */
export type FormDraft = {
  idempotencyKey: string;
  /** The version of the data that the form was opened with. */
  version: string;
  values: Record<string, string>;
};

type DraftStorage = Parameters<typeof saveDraft>[2];

/** Only this admin's forms find the drafts of this name. */
const toName = (adminId: string) => `furlong-drafts:form:${adminId}`;

/** Returns what this admin typed into the form at this path on this device, or null. */
export function findFormDraft(
  adminId: string,
  path: string,
  storage?: DraftStorage,
): SavedDraft<FormDraft> | null {
  const drafts = listDrafts<FormDraft>(toName(adminId), storage === undefined ? {} : { storage });
  return drafts.find(({ draft }) => draft.idempotencyKey === path) ?? null;
}

/** Saves the values of a form on this device. */
export function saveFormDraft(
  adminId: string,
  { path, version, values }: { path: string; version: string; values: Record<string, string> },
  { savedAt = Date.now(), storage }: { savedAt?: number; storage?: DraftStorage } = {},
): void {
  saveDraft(
    toName(adminId),
    { savedAt, draft: { idempotencyKey: path, version, values } },
    storage,
  );
}

/** Removes the draft of the form at this path. */
export function removeFormDraft(adminId: string, path: string, storage?: DraftStorage): void {
  removeDraft(toName(adminId), path, storage);
}
