import { useEffect, useState } from "react";

/** Emails take a while to arrive, and each request uses up the hourly limit. */
const COOLDOWN_SECONDS = 60;

/**
 * Counts down the seconds until another email can be requested. Restarts whenever `trigger` changes.
 */
export function useCooldown(trigger: unknown): number {
  const [remainingSeconds, setRemainingSeconds] = useState(0);
  useEffect(() => {
    if (!trigger) return;
    setRemainingSeconds(COOLDOWN_SECONDS);
    const timer = setInterval(
      () => setRemainingSeconds((seconds) => Math.max(0, seconds - 1)),
      1000,
    );
    return () => clearInterval(timer);
  }, [trigger]);
  return remainingSeconds;
}
