import { useCallback, useEffect, useRef, useState } from "react";
import { readStored, writeStored } from "#platform/browser-features.ts";
import {
  listDrafts,
  removeDraft,
  type SavedDraft,
  saveDraft,
  toDraftKey,
} from "#platform/draft-store.ts";
import type { BatchDraft } from "./batch-form.ts";
import { acquireLock, listHeldLocks, type Release } from "./draft-locks.ts";

const SAVE_DELAY_MS = 400;
/** How long to wait for this tab's own lock after a reload, because browsers release it with a delay. */
const RELOAD_LOCK_TIMEOUT_MS = 1_000;

type DraftOptions = {
  isEmpty: boolean;
  /** Shows a saved draft in the form. */
  onOpen: (draft: BatchDraft) => void;
};

/**
 * Saves drafts on this device until they are published, each under its own idempotency key. On mount it
 * opens the draft that this tab was editing, otherwise the newest draft that no other tab is
 * editing, unless the user has filled in the form. `drafts` are the other drafts that can be
 * opened.
 */
export function useDraft(name: string, draft: BatchDraft, { isEmpty, onOpen }: DraftOptions) {
  const { idempotencyKey } = draft;
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const [drafts, setDrafts] = useState<SavedDraft<BatchDraft>[]>([]);
  const latest = useRef(draft);
  const initial = useRef(draft);
  const saveNow = useRef(() => {});
  const discardedDraftKey = useRef<string | null>(null);
  const refreshList = useCallback(async () => {
    const heldLocks = await listHeldLocks();
    const isFree = ({ draft }: SavedDraft<BatchDraft>) =>
      draft.idempotencyKey !== latest.current.idempotencyKey &&
      !heldLocks.has(toDraftKey(name, draft.idempotencyKey));
    setDrafts(listDrafts<BatchDraft>(name).filter(isFree));
  }, [name]);

  const acquire = useEditingLock(name, idempotencyKey, refreshList);

  const open = useCallback(
    async (requested: string, start?: { isOwn: boolean }) => {
      const waitMs = start?.isOwn ? RELOAD_LOCK_TIMEOUT_MS : 0;
      const isOpen = await acquire(requested, waitMs, () => {
        // The browser may have restored the fields of a reloaded form, so they do not stop the tab's own draft
        // from being opened.
        if (start && !start.isOwn && latest.current !== initial.current) return false;
        if (!start) saveNow.current();
        // Read after the lock is acquired, because another tab may have changed the draft until
        // then.
        const saved = listDrafts<BatchDraft>(name).find(
          (each) => each.draft.idempotencyKey === requested,
        );
        if (!saved) return false;
        onOpen(saved.draft);
        setSavedAt(new Date(saved.savedAt));
        writeStored("session", name, requested);
        return true;
      });
      return isOpen;
    },
    [name, onOpen, acquire],
  );

  const hasRestored = useRef(false);
  useEffect(() => {
    if (hasRestored.current) return;
    hasRestored.current = true;
    const restore = async () => {
      // The key of the draft that this tab edits, so that a reload opens it.
      const ownKey = readStored("session", name);
      const storedKeys = isEmpty
        ? listDrafts<BatchDraft>(name).map((saved) => saved.draft.idempotencyKey)
        : [];
      const sortedKeys = [
        ...storedKeys.filter((key) => key === ownKey),
        ...storedKeys.filter((key) => key !== ownKey),
      ];
      for (const key of sortedKeys) {
        if (await open(key, { isOwn: key === ownKey })) break;
      }
    };
    void restore().then(refreshList);
  }, [name, isEmpty, open, refreshList]);

  useEffect(() => {
    latest.current = draft;
    let isSaved = isEmpty;
    const save = () => {
      clearTimeout(timer);
      // A published or discarded draft must not be saved again when the page is left.
      if (isSaved || discardedDraftKey.current === draft.idempotencyKey) return;
      isSaved = true;
      const at = new Date();
      if (!saveDraft(name, { savedAt: at.getTime(), draft })) return;
      writeStored("session", name, draft.idempotencyKey);
      setSavedAt(at);
    };
    const timer = setTimeout(save, SAVE_DELAY_MS);
    saveNow.current = save;
    // Saves at once if the page is closed or left before the timer fires.
    window.addEventListener("pagehide", save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", save);
    };
  }, [name, draft, isEmpty]);
  useEffect(() => () => saveNow.current(), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the list excludes the open draft, so it depends on idempotencyKey
  useEffect(() => {
    void refreshList();
    const refresh = () => void refreshList();
    window.addEventListener("storage", refresh);
    window.addEventListener("focus", refresh);
    return () => {
      window.removeEventListener("storage", refresh);
      window.removeEventListener("focus", refresh);
    };
  }, [refreshList, idempotencyKey]);

  /** Saves the current draft and shows a new one. */
  const startNew = useCallback(
    (next: BatchDraft) => {
      saveNow.current();
      writeStored("session", name, null);
      setSavedAt(null);
      onOpen(next);
    },
    [name, onOpen],
  );
  /** Removes a draft, by default the current one, after it was published or discarded. */
  const discard = useCallback(
    (discardedKey = latest.current.idempotencyKey) => {
      discardedDraftKey.current = discardedKey;
      removeDraft(name, discardedKey);
      writeStored("session", name, null);
      setSavedAt(null);
    },
    [name],
  );
  return { savedAt, drafts, open, startNew, discard };
}

/** Holds the lock of the open draft. Returns a function that switches to another draft's lock. */
function useEditingLock(name: string, idempotencyKey: string, onRelease: () => void) {
  const held = useRef<{ idempotencyKey: string; release: Release } | null>(null);

  useEffect(() => {
    if (held.current?.idempotencyKey === idempotencyKey) return;
    void held.current?.release().then(onRelease);
    held.current = null;
    let isCurrent = true;
    void acquireLock(toDraftKey(name, idempotencyKey), 0).then((release) => {
      if (release && isCurrent && !held.current) held.current = { idempotencyKey, release };
      else void release?.();
    });
    return () => {
      isCurrent = false;
    };
  }, [name, idempotencyKey, onRelease]);

  useEffect(
    () => () => {
      void held.current?.release();
      held.current = null;
    },
    [],
  );

  return useCallback(
    async (requested: string, waitMs: number, show: () => boolean): Promise<boolean> => {
      const release = await acquireLock(toDraftKey(name, requested), waitMs);
      if (!release) return false;
      if (!show()) {
        void release();
        return false;
      }
      void held.current?.release().then(onRelease);
      held.current = { idempotencyKey: requested, release };
      return true;
    },
    [name, onRelease],
  );
}
