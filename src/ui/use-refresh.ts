import { useCallback } from "react";
import { useRevalidator } from "react-router";

const TIMEOUT_MS = 5_000;

/**
 * Returns a function that revalidates the page. When the server or its database is unreachable, the
 * page and its input stay unchanged. The function resolves to true when the page was revalidated.
 */
export function useRefresh(): () => Promise<boolean> {
  const { revalidate } = useRevalidator();
  return useCallback(async () => {
    if (!(await isServerReady())) return false;
    await revalidate();
    return true;
  }, [revalidate]);
}

async function isServerReady(): Promise<boolean> {
  try {
    const response = await fetch("/health/ready", {
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.ok;
  } catch {
    return false;
  }
}
