import { useEffect, useState } from "react";

/** Emails take a while to arrive, and each request uses up the hourly limit. */
const COOLDOWN_SECONDS = 60;

/**
 * Counts down the seconds until another email can be requested, starting whenever `sent` changes.
 */
export function useCooldown(sent: unknown): number {
  const [secondsLeft, setSecondsLeft] = useState(0);
  useEffect(() => {
    if (!sent) return;
    setSecondsLeft(COOLDOWN_SECONDS);
    const timer = setInterval(() => setSecondsLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, [sent]);
  return secondsLeft;
}
