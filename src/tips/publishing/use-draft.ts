import { useCallback, useEffect, useRef, useState } from "react";
import type { BatchDraft } from "./batch-form.ts";
import { heldLocks, holdLock, type Release } from "./draft-locks.ts";
import { draftKey, listDrafts, removeDraft, type SavedDraft, saveDraft } from "./draft-store.ts";

const SAVE_DELAY_MS = 400;
/** A reloaded page releases its lock shortly after the new page has started. */
const OWN_LOCK_WAIT_MS = 1_000;

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
  const [drafts, setDrafts] = useState<SavedDraft[]>([]);
  const latest = useRef(draft);
  const initial = useRef(draft);
  const saveNow = useRef(() => {});
  const discarded = useRef<string | null>(null);
  const refreshList = useCallback(async () => {
    const held = await heldLocks();
    const isFree = ({ draft }: SavedDraft) =>
      draft.idempotencyKey !== latest.current.idempotencyKey &&
      !held.has(draftKey(name, draft.idempotencyKey));
    setDrafts(listDrafts(name).filter(isFree));
  }, [name]);

  const acquire = useEditingLock(name, idempotencyKey, refreshList);

  const open = useCallback(
    async (requested: string, start?: { isOwn: boolean }) => {
      const waitMs = start?.isOwn ? OWN_LOCK_WAIT_MS : 0;
      const isOpen = await acquire(requested, waitMs, () => {
        // The browser may restore the fields of a reloaded form, so the tab's own draft is always
        // opened.
        if (start && !start.isOwn && latest.current !== initial.current) return false;
        if (!start) saveNow.current();
        // Read after the lock is acquired, because another tab may have changed the draft until
        // then.
        const saved = listDrafts(name).find((each) => each.draft.idempotencyKey === requested);
        if (!saved) return false;
        onOpen(saved.draft);
        setSavedAt(new Date(saved.savedAt));
        writeTab(name, requested);
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
      const own = readTab(name);
      const found = isEmpty ? listDrafts(name).map((saved) => saved.draft.idempotencyKey) : [];
      const inOrder = [
        ...found.filter((key) => key === own),
        ...found.filter((key) => key !== own),
      ];
      for (const key of inOrder) {
        if (await open(key, { isOwn: key === own })) break;
      }
    };
    void restore().then(refreshList);
  }, [name, isEmpty, open, refreshList]);

  useEffect(() => {
    latest.current = draft;
    let isSaved = isEmpty;
    const save = () => {
      clearTimeout(timer);
      // Leaving the page must not save a published or discarded draft again.
      if (isSaved || discarded.current === draft.idempotencyKey) return;
      isSaved = true;
      const at = new Date();
      if (!saveDraft(name, { savedAt: at.getTime(), draft })) return;
      writeTab(name, draft.idempotencyKey);
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
      writeTab(name, null);
      setSavedAt(null);
      onOpen(next);
    },
    [name, onOpen],
  );
  /** Removes a draft, by default the current one, after it was published or discarded. */
  const discard = useCallback(
    (discardedKey = latest.current.idempotencyKey) => {
      discarded.current = discardedKey;
      removeDraft(name, discardedKey);
      writeTab(name, null);
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
    void holdLock(draftKey(name, idempotencyKey), 0).then((release) => {
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
      const release = await holdLock(draftKey(name, requested), waitMs);
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

// The session storage remembers which draft this tab is editing, so that a reload opens it again.

function readTab(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function writeTab(name: string, idempotencyKey: string | null): void {
  try {
    if (idempotencyKey === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, idempotencyKey);
  } catch {
    // Without session storage the newest draft is opened.
  }
}
