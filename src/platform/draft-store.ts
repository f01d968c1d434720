import { findStorage } from "./browser-features.ts";

// Drafts of forms on this device: batches of tips, race days and results.

const MAX_AGE_MS = 3 * 24 * 60 * 60 * 1000;

/** The key of a draft is unique among the drafts of its name, such as the idempotency key of a batch. */
type KeyedDraft = { idempotencyKey: string };
export type SavedDraft<Draft extends KeyedDraft> = { savedAt: number; draft: Draft };

type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

// Storage can be unavailable (private windows, full disks). These functions then return no drafts and
// save nothing.

/**
 * Returns the drafts stored under this name, newest first. Removes drafts older than three days.
 * The storage key of a draft contains its idempotency key, so drafts do not overwrite each other.
 */
export function listDrafts<Draft extends KeyedDraft>(
  name: string,
  { storage = findDraftStorage(), at = Date.now() } = {},
): SavedDraft<Draft>[] {
  if (!storage) return [];
  try {
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
    return keys
      .filter((key) => key?.startsWith(`${name}:`))
      .flatMap((key) => readDraft<Draft>(storage, key ?? "", at) ?? [])
      .sort((a, b) => b.savedAt - a.savedAt);
  } catch {
    return [];
  }
}

/** Stores a draft, replacing the previous one with its key. Returns false if it failed. */
export function saveDraft<Draft extends KeyedDraft>(
  name: string,
  saved: SavedDraft<Draft>,
  storage = findDraftStorage(),
): boolean {
  if (!storage) return false;
  try {
    storage.setItem(toDraftKey(name, saved.draft.idempotencyKey), JSON.stringify(saved));
    return true;
  } catch {
    return false;
  }
}

/** Removes the draft with this key. */
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

/** Returns the storage key of a draft, which is also the name of its editing lock. */
export function toDraftKey(name: string, idempotencyKey: string): string {
  return `${name}:${idempotencyKey}`;
}

function readDraft<Draft extends KeyedDraft>(
  storage: DraftStorage,
  key: string,
  at: number,
): SavedDraft<Draft> | null {
  const saved = parseDraft<Draft>(storage.getItem(key));
  if (saved && at - saved.savedAt < MAX_AGE_MS && key.endsWith(`:${saved.draft.idempotencyKey}`))
    return saved;
  storage.removeItem(key);
  return null;
}

function parseDraft<Draft extends KeyedDraft>(text: string | null): SavedDraft<Draft> | null {
  try {
    const saved = JSON.parse(text ?? "null") as SavedDraft<Draft> | null;
    return typeof saved?.draft?.idempotencyKey === "string" ? saved : null;
  } catch {
    return null;
  }
}
