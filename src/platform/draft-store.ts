import { findStorage } from "#platform/browser-features.ts";
import type { BatchDraft } from "./batch-form.ts";

const MAX_AGE_MS = 3 * 24 * 60 * 60 * 1000;

export type SavedDraft = { savedAt: number; draft: BatchDraft };

type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

// Storage can be unavailable (private windows, full disks). These functions then return no drafts and
// save nothing.

/**
 * Returns the drafts stored under this name, newest first. Removes drafts older than three days.
 * The storage key of a draft contains its idempotency key, so drafts do not overwrite each other.
 */
export function listDrafts(
  name: string,
  { storage = findDraftStorage(), at = Date.now() } = {},
): SavedDraft[] {
  if (!storage) return [];
  try {
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
    return keys
      .filter((key) => key?.startsWith(`${name}:`))
      .flatMap((key) => readDraft(storage, key ?? "", at) ?? [])
      .sort((a, b) => b.savedAt - a.savedAt);
  } catch {
    return [];
  }
}

/** Stores a draft, replacing the previous one of the same batch. Returns false if it failed. */
export function saveDraft(name: string, saved: SavedDraft, storage = findDraftStorage()): boolean {
  if (!storage) return false;
  try {
    storage.setItem(toDraftKey(name, saved.draft.idempotencyKey), JSON.stringify(saved));
    return true;
  } catch {
    return false;
  }
}

/** Removes the draft of one batch. */
export function removeDraft(
  name: string,
  idempotencyKey: string,
  storage = findDraftStorage(),
): void {
  try {
    storage?.removeItem(toDraftKey(name, idempotencyKey));
  } catch {
    // Nothing was stored.
  }
}

function findDraftStorage(): DraftStorage | null {
  return findStorage("local");
}

/** Returns the storage key of a batch's draft, which is also the name of its editing lock. */
export function toDraftKey(name: string, idempotencyKey: string): string {
  return `${name}:${idempotencyKey}`;
}

function readDraft(storage: DraftStorage, key: string, at: number): SavedDraft | null {
  const saved = parseDraft(storage.getItem(key));
  if (saved && at - saved.savedAt < MAX_AGE_MS && key.endsWith(`:${saved.draft.idempotencyKey}`))
    return saved;
  storage.removeItem(key);
  return null;
}

function parseDraft(text: string | null): SavedDraft | null {
  try {
    const saved = JSON.parse(text ?? "null") as SavedDraft | null;
    return Array.isArray(saved?.draft?.races) ? saved : null;
  } catch {
    return null;
  }
}
