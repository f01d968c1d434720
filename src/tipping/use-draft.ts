import { useCallback, useEffect, useRef, useState } from "react";
import type { BatchDraft } from "./batch-form.ts";

const AFTER_MS = 400;
const KEEP_FOR_MS = 3 * 24 * 60 * 60 * 1000;

type Kept = { savedAt: number; draft: BatchDraft };

/**
 * Keeps what is being written on this device until it is published: reads it once at the start and
 * writes it shortly after each change. A creator's draft is under a key of their own.
 */
export function useDraft(
  creatorId: string,
  draft: BatchDraft,
  { isEmpty, onFound }: { isEmpty: boolean; onFound: (draft: BatchDraft) => void },
) {
  const key = `furlong-tips:${creatorId}`;
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const hasLooked = useRef(false);
  const latest = useRef(draft);
  const forgotten = useRef<BatchDraft | null>(null);

  useEffect(() => {
    if (hasLooked.current) return;
    hasLooked.current = true;
    const kept = read(key);
    if (!kept) return;
    onFound(kept.draft);
    setSavedAt(new Date(kept.savedAt));
  }, [key, onFound]);

  useEffect(() => {
    latest.current = draft;
    if (isEmpty) return;
    const save = () => {
      clearTimeout(timer);
      // What has been sent is not kept again because its page is left.
      if (forgotten.current === draft) return;
      const at = new Date();
      if (write(key, { savedAt: at.getTime(), draft })) setSavedAt(at);
    };
    const timer = setTimeout(save, AFTER_MS);
    // Whoever closes the page at once loses nothing.
    window.addEventListener("pagehide", save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", save);
    };
  }, [key, draft, isEmpty]);

  const forget = useCallback(() => {
    forgotten.current = latest.current;
    remove(key);
    setSavedAt(null);
  }, [key]);
  return { savedAt, forget };
}

// A browser may keep nothing (private windows, full disks): then there is no draft, and no error.

function read(key: string): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Kept | null;
    if (!kept || !Array.isArray(kept.draft?.races)) return null;
    if (Date.now() - kept.savedAt < KEEP_FOR_MS) return kept;
    localStorage.removeItem(key);
    return null;
  } catch {
    return null;
  }
}

function write(key: string, kept: Kept): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
