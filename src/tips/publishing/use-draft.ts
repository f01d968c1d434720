import { useCallback, useEffect, useRef, useState } from "react";
import type { BatchDraft } from "./batch-form.ts";
import { heldLocks, holdLock, type Release } from "./draft-locks.ts";
import { draftKey, type KeptDraft, listDrafts, removeDraft, saveDraft } from "./draft-store.ts";

const AFTER_MS = 400;
/** A page that is reloaded gives up its lock a moment after the new one has started. */
const OWN_LOCK_WAIT_MS = 1_000;

type DraftOptions = {
  isEmpty: boolean;
  /** Shows a draft that was kept in place of what the form holds. */
  onOpen: (draft: BatchDraft) => void;
};

/**
 * Keeps drafts on this device until they are published, each under its own batch key. At the start it
 * opens the draft that this tab was editing, or else the newest that no other tab is editing, unless the
 * form has been filled in by then. `drafts` are the others that can be opened here.
 */
export function useDraft(name: string, draft: BatchDraft, { isEmpty, onOpen }: DraftOptions) {
  const { batchKey } = draft;
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const [drafts, setDrafts] = useState<KeptDraft[]>([]);
  const latest = useRef(draft);
  const initial = useRef(draft);
  const saveNow = useRef(() => {});
  const forgotten = useRef<string | null>(null);
  const refreshList = useCallback(async () => {
    const held = await heldLocks();
    const isFree = ({ draft }: KeptDraft) =>
      draft.batchKey !== latest.current.batchKey && !held.has(draftKey(name, draft.batchKey));
    setDrafts(listDrafts(name).filter(isFree));
  }, [name]);

  const take = useEditingLock(name, batchKey, refreshList);

  const open = useCallback(
    async (wanted: string, start?: { isOwn: boolean }) => {
      const waitMs = start?.isOwn ? OWN_LOCK_WAIT_MS : 0;
      const isOpen = await take(wanted, waitMs, () => {
        // A browser may fill in a reloaded form by itself: the tab's own draft is opened anyway.
        if (start && !start.isOwn && latest.current !== initial.current) return false;
        if (!start) saveNow.current();
        // Read only now: another tab may have changed it until it gave up the lock.
        const kept = listDrafts(name).find((each) => each.draft.batchKey === wanted);
        if (!kept) return false;
        onOpen(kept.draft);
        setSavedAt(new Date(kept.savedAt));
        writeTab(name, wanted);
        return true;
      });
      return isOpen;
    },
    [name, onOpen, take],
  );

  const hasLooked = useRef(false);
  useEffect(() => {
    if (hasLooked.current) return;
    hasLooked.current = true;
    const look = async () => {
      const own = readTab(name);
      const found = isEmpty ? listDrafts(name).map((kept) => kept.draft.batchKey) : [];
      const inOrder = [
        ...found.filter((key) => key === own),
        ...found.filter((key) => key !== own),
      ];
      for (const key of inOrder) {
        if (await open(key, { isOwn: key === own })) break;
      }
    };
    void look().then(refreshList);
  }, [name, isEmpty, open, refreshList]);

  useEffect(() => {
    latest.current = draft;
    let isSaved = isEmpty;
    const save = () => {
      clearTimeout(timer);
      // A draft that was published is not kept again because its page is left.
      if (isSaved || forgotten.current === draft.batchKey) return;
      isSaved = true;
      const at = new Date();
      if (!saveDraft(name, { savedAt: at.getTime(), draft })) return;
      writeTab(name, draft.batchKey);
      setSavedAt(at);
    };
    const timer = setTimeout(save, AFTER_MS);
    saveNow.current = save;
    // Nothing is lost where the page is closed within that time, or left for the login page.
    window.addEventListener("pagehide", save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", save);
    };
  }, [name, draft, isEmpty]);
  useEffect(() => () => saveNow.current(), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is without the draft that is open
  useEffect(() => {
    void refreshList();
    const refresh = () => void refreshList();
    window.addEventListener("storage", refresh);
    window.addEventListener("focus", refresh);
    return () => {
      window.removeEventListener("storage", refresh);
      window.removeEventListener("focus", refresh);
    };
  }, [refreshList, batchKey]);

  /** Keeps what the form holds and shows another draft in its place, which is not kept yet. */
  const begin = useCallback(
    (next: BatchDraft) => {
      saveNow.current();
      writeTab(name, null);
      setSavedAt(null);
      onOpen(next);
    },
    [name, onOpen],
  );
  const forget = useCallback(
    (published = latest.current.batchKey) => {
      forgotten.current = published;
      removeDraft(name, published);
      writeTab(name, null);
      setSavedAt(null);
    },
    [name],
  );
  return { savedAt, drafts, open, begin, forget };
}

/** Holds the lock of the draft that is open here. Returns a function that goes on to another draft's. */
function useEditingLock(name: string, batchKey: string, onRelease: () => void) {
  const held = useRef<{ batchKey: string; release: Release } | null>(null);

  useEffect(() => {
    if (held.current?.batchKey === batchKey) return;
    void held.current?.release().then(onRelease);
    held.current = null;
    let isWanted = true;
    void holdLock(draftKey(name, batchKey), 0).then((release) => {
      if (release && isWanted && !held.current) held.current = { batchKey, release };
      else void release?.();
    });
    return () => {
      isWanted = false;
    };
  }, [name, batchKey, onRelease]);

  useEffect(
    () => () => {
      void held.current?.release();
      held.current = null;
    },
    [],
  );

  return useCallback(
    async (wanted: string, waitMs: number, show: () => boolean): Promise<boolean> => {
      const release = await holdLock(draftKey(name, wanted), waitMs);
      if (!release) return false;
      if (!show()) {
        void release();
        return false;
      }
      void held.current?.release().then(onRelease);
      held.current = { batchKey: wanted, release };
      return true;
    },
    [name, onRelease],
  );
}

// The draft that this tab is editing, so that a reload opens it again.

function readTab(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function writeTab(name: string, batchKey: string | null): void {
  try {
    if (batchKey === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, batchKey);
  } catch {
    // Then the newest draft is opened.
  }
}
