import type { BatchDraft } from "./batch-form.ts";

const KEEP_FOR_MS = 3 * 24 * 60 * 60 * 1000;

export type KeptDraft = { savedAt: number; draft: BatchDraft };

type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

// A browser may keep nothing (private windows, full disks): then there are no drafts, and no error.

/**
 * The drafts kept under this name, newest first. Each is stored under the key of its batch, so that no
 * draft overwrites another. Removes those older than three days.
 */
export function listDrafts(
  name: string,
  { storage = deviceStorage(), at = Date.now() } = {},
): KeptDraft[] {
  if (!storage) return [];
  try {
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
    return keys
      .filter((key) => key?.startsWith(`${name}:`))
      .flatMap((key) => readDraft(storage, key ?? "", at) ?? [])
      .sort((one, other) => other.savedAt - one.savedAt);
  } catch {
    return [];
  }
}

/** Stores a draft in place of an older state of the same batch. Returns whether it was stored. */
export function saveDraft(name: string, kept: KeptDraft, storage = deviceStorage()): boolean {
  if (!storage) return false;
  try {
    storage.setItem(draftKey(name, kept.draft.batchKey), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** Removes the draft of one batch. */
export function removeDraft(name: string, batchKey: string, storage = deviceStorage()): void {
  try {
    storage?.removeItem(draftKey(name, batchKey));
  } catch {
    // Nothing was kept.
  }
}

/** The key of one batch's draft; also the name of the lock that a tab holds while it edits it. */
export function draftKey(name: string, batchKey: string): string {
  return `${name}:${batchKey}`;
}

function deviceStorage(): DraftStorage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

function readDraft(storage: DraftStorage, key: string, at: number): KeptDraft | null {
  const kept = parseDraft(storage.getItem(key));
  if (kept && at - kept.savedAt < KEEP_FOR_MS && key.endsWith(`:${kept.draft.batchKey}`))
    return kept;
  storage.removeItem(key);
  return null;
}

function parseDraft(text: string | null): KeptDraft | null {
  try {
    const kept = JSON.parse(text ?? "null") as KeptDraft | null;
    return Array.isArray(kept?.draft?.races) ? kept : null;
  } catch {
    return null;
  }
}
