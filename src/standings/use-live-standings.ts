import { useEffect, useRef, useState } from "react";
import { openChannel } from "#platform/browser-features.ts";
import type { StandingRow } from "./standings-list.ui.tsx";

const POLL_MS = 30_000;
/** All browsers receive a change at the same time; the jitter spreads their requests. */
const MAX_JITTER_MS = 1_500;
const MAX_ROWS = 5;
const CHANNEL = "furlong-standings";

type StandingJson = {
  rank: number;
  slug: string;
  name: string;
  profile_image: string | null;
  total_tips: number;
  settled_tips: number;
  won_tips: number;
  has_one_person_results: boolean;
  total_sales: number;
  total_earnings: number;
  score: number;
};

function toRow(standing: StandingJson): StandingRow {
  return {
    rank: standing.rank,
    slug: standing.slug,
    displayName: standing.name,
    photo: standing.profile_image,
    tips: standing.total_tips,
    settled: standing.settled_tips,
    won: standing.won_tips,
    hasOnePersonResults: standing.has_one_person_results,
    sales: standing.total_sales,
    coinsEarned: standing.total_earnings,
    score: standing.score,
  };
}

/**
 * Returns the current standings: first the page's data, then a new copy after each change and
 * every thirty seconds while the page is visible. One tab of the browser holds the live stream and
 * notifies the others.
 */
export function useLiveStandings(initial: readonly StandingRow[]): readonly StandingRow[] {
  const [live, setLive] = useState<{
    initialRows: readonly StandingRow[];
    rows: readonly StandingRow[];
  }>({
    initialRows: initial,
    rows: initial,
  });
  const latest = useRef(initial);
  latest.current = initial;

  useEffect(() => {
    const abortController = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = async () => {
      if (document.visibilityState !== "visible" || !navigator.onLine) return;
      try {
        const response = await fetch("/api/leaderboard", { signal: abortController.signal });
        if (!response.ok) return;
        const { leaderboard } = (await response.json()) as { leaderboard: StandingJson[] };
        const initialRows = latest.current;
        setLive({ initialRows, rows: leaderboard.slice(0, MAX_ROWS).map(toRow) });
      } catch {
        // Keeps the current standings until the next attempt.
      }
    };
    const scheduleRefresh = () => {
      clearTimeout(timer);
      timer = setTimeout(refresh, Math.random() * MAX_JITTER_MS);
    };
    const poll = setInterval(refresh, POLL_MS);
    const channel = openChannel(CHANNEL);
    channel?.addEventListener("message", scheduleRefresh);
    void holdStream(abortController.signal, () => {
      scheduleRefresh();
      channel?.postMessage("changed");
    });
    return () => {
      abortController.abort();
      clearTimeout(timer);
      clearInterval(poll);
      channel?.close();
    };
  }, []);

  return live.initialRows === initial ? live.rows : initial;
}

/** Opens the stream in this tab as soon as no other tab of this browser holds it. */
async function holdStream(signal: AbortSignal, onChange: () => void): Promise<void> {
  if (!("locks" in navigator)) return;
  await navigator.locks
    .request(CHANNEL, { signal }, () => {
      const stream = new EventSource("/events/leaderboard");
      stream.addEventListener("leaderboard", onChange);
      return new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => {
          stream.close();
          resolve();
        });
      });
    })
    .catch(() => {
      // The component was unmounted while it waited for the lock.
    });
}
