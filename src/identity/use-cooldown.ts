import { useEffect, useState } from "react";

/** Counts down from so many seconds each time something new has been done; nought when it may be done again. */
export function useCooldown(done: unknown, seconds: number): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (!done) return;
    setLeft(seconds);
    const ticking = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1000);
    return () => clearInterval(ticking);
  }, [done, seconds]);
  return left;
}
