import { useEffect, useState } from "react";

/** A mail needs a while to arrive; pressing again and again would only use up the hour's mails. */
const COOLDOWN_SECONDS = 60;

/** Counts down each time another mail has been sent, in seconds; nought when the next may be asked for. */
export function useCooldown(sent: unknown): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (!sent) return;
    setLeft(COOLDOWN_SECONDS);
    const ticking = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1000);
    return () => clearInterval(ticking);
  }, [sent]);
  return left;
}
