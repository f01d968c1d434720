import { useCallback } from "react";
import { useRevalidator } from "react-router";

const GIVE_UP_AFTER_MS = 5_000;

/**
 * Reads the page anew. Where the server or its records cannot be reached, what is shown and what is
 * being written stays as it is. Answers whether it was read.
 */
export function useRefresh(): () => Promise<boolean> {
  const { revalidate } = useRevalidator();
  return useCallback(async () => {
    if (!(await isThere())) return false;
    await revalidate();
    return true;
  }, [revalidate]);
}

async function isThere(): Promise<boolean> {
  try {
    const answer = await fetch("/health/ready", {
      cache: "no-store",
      signal: AbortSignal.timeout(GIVE_UP_AFTER_MS),
    });
    return answer.ok;
  } catch {
    return false;
  }
}
