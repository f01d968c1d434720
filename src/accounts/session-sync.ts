import { useEffect, useRef } from "react";
import { useRouteLoaderData } from "react-router";
import { openChannel, writeStored } from "#platform/browser-features.ts";
import { SIGNED_IN_AT_KEY } from "#platform/storage-keys.ts";
import { showToast } from "#ui/notifications/toast.tsx";
import { useRefresh } from "#ui/use-refresh.ts";

const CHANNEL = "furlong";
const MIN_REFRESH_INTERVAL_MS = 5_000;
/** Identifies this tab, so that it ignores its own announcements. */
const TAB_ID = Math.random();
/** A hidden page is shown again after this time at the latest. */
const MAX_HIDDEN_MS = 3_000;

type SyncMessage = { tab: number; topic: "session" | "balance" };

/** Tells the other tabs that the user has signed in or out. */
export function broadcastSessionChange(): void {
  broadcast("session");
}

/** Tells the other tabs that the viewer's balance has changed. */
export function broadcastBalanceChange(): void {
  broadcast("balance");
}

/** Messages contain no personal data: the other tabs reload from the server. */
function broadcast(topic: SyncMessage["topic"]): void {
  const channel = openChannel(CHANNEL);
  channel?.postMessage({ tab: TAB_ID, topic } satisfies SyncMessage);
  channel?.close();
}

/**
 * Revalidates the page when another tab announces a change and when a signed-in user returns to the
 * window. Stores when a user's page was loaded. Mounted once, in the frame.
 */
export function useSessionSync(isSignedIn: boolean): void {
  const refresh = useRefresh();
  const rootData = useRouteLoaderData("root");
  const onRender = useRef<() => void>(() => {});

  // React renders new loader data later; this effect runs once it has.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rootData only triggers the effect
  useEffect(() => onRender.current(), [rootData]);

  useEffect(() => {
    const channel = openChannel(CHANNEL);
    if (!channel) return;
    channel.onmessage = ({ data }: MessageEvent<SyncMessage>) => {
      if (data.tab === TAB_ID) return;
      if (data.topic === "balance") void refresh();
      else
        void refreshWhileHidden(async () => {
          const rendered = new Promise<void>((resolve) => {
            onRender.current = resolve;
          });
          if (await refresh()) await rendered;
        });
    };
    return () => channel.close();
  }, [refresh]);

  useEffect(() => {
    if (!isSignedIn) return;
    // Pages that guests opened before, and that run no scripts, reload when they are shown again.
    writeStored("local", SIGNED_IN_AT_KEY, String(Date.now()));
    let lastRefreshAt = Date.now();
    const onReturn = async () => {
      if (document.hidden || Date.now() - lastRefreshAt < MIN_REFRESH_INTERVAL_MS) return;
      lastRefreshAt = Date.now();
      // While offline, the page already shows its own notice.
      if ((await refresh()) || !navigator.onLine) return;
      showToast({
        type: "error",
        title: "Unable to read coin balance. Please refresh and try again.",
      });
    };
    window.addEventListener("focus", onReturn);
    // Mobile browsers do not fire `focus` when the user returns.
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      window.removeEventListener("focus", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, [isSignedIn, refresh]);
}

/**
 * Hides the page while it reloads for another viewer, so that no layout shift is visible. Form
 * values are preserved.
 */
async function refreshWhileHidden(refresh: () => Promise<void>): Promise<void> {
  // A background tab needs no hiding.
  if (document.hidden) return await refresh();
  const focused = document.activeElement;
  document.body.style.visibility = "hidden";
  await Promise.race([refresh(), sleep(MAX_HIDDEN_MS)]);
  // Waits for the layout of the new content, which is still hidden.
  await nextFrame();
  await nextFrame();
  document.body.style.visibility = "";
  if (focused instanceof HTMLElement && focused !== document.body)
    focused.focus({ preventScroll: true });
}

function nextFrame(): Promise<unknown> {
  return new Promise(requestAnimationFrame);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
