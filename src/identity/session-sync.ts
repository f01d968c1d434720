import { useEffect, useRef } from "react";
import { useRouteLoaderData } from "react-router";
import { useRefresh } from "#ui/hooks/use-refresh.ts";
import { showToast } from "#ui/notifications/toast.tsx";

const CHANNEL = "furlong";
const REFRESH_AFTER_MS = 5_000;
/** This tab among the browser's: what it tells the others it has read itself already. */
const THIS_TAB = Math.random();
/** A page that waits for its new content is shown again after this time, whatever has become of it. */
const HIDDEN_AT_MOST_MS = 3_000;

type Announcement = { tab: number; about: "session" | "balance" };

/** Tells this browser's other tabs that someone has signed in or out. */
export function announceSession(): void {
  announce("session");
}

/** Tells this browser's other tabs that the viewer holds another balance. */
export function announceBalance(): void {
  announce("balance");
}

/** The others ask the server what is new: nothing of a person travels between tabs. */
function announce(about: Announcement["about"]): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ tab: THIS_TAB, about } satisfies Announcement);
  channel.close();
}

/**
 * Reads the page anew when another tab tells of a change, and when someone who is signed in comes back
 * to the window. Stands once, in the frame.
 */
export function useSessionSync(isSignedIn: boolean): void {
  const refresh = useRefresh();
  const rootData = useRouteLoaderData("root");
  const onRender = useRef<() => void>(() => {});

  // React renders what the router has read some time later: this runs once it has.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the data is the occasion, not an input
  useEffect(() => onRender.current(), [rootData]);

  useEffect(() => {
    if (typeof BroadcastChannel === "undefined") return;
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<Announcement>) => {
      if (data.tab === THIS_TAB) return;
      if (data.about === "balance") void refresh();
      else
        void replaceUnseen(async () => {
          const isRendered = new Promise<void>((resolve) => {
            onRender.current = resolve;
          });
          if (await refresh()) await isRendered;
        });
    };
    return () => channel.close();
  }, [refresh]);

  useEffect(() => {
    if (!isSignedIn) return;
    let readAt = Date.now();
    const comeBack = async () => {
      if (document.hidden || Date.now() - readAt < REFRESH_AFTER_MS) return;
      readAt = Date.now();
      // Without a connection the page says so by itself.
      if ((await refresh()) || !navigator.onLine) return;
      showToast({
        type: "error",
        title: "Unable to read coin balance. Please refresh and try again.",
      });
    };
    window.addEventListener("focus", comeBack);
    // A phone's browser comes back without giving its window the focus.
    document.addEventListener("visibilitychange", comeBack);
    return () => {
      window.removeEventListener("focus", comeBack);
      document.removeEventListener("visibilitychange", comeBack);
    };
  }, [isSignedIn, refresh]);
}

/**
 * Hides the page while it is read again for another viewer, so that nothing on it is seen to move: what
 * one viewer has opened is locked for the next, and takes another height. What was typed stays.
 */
async function replaceUnseen(replace: () => Promise<void>): Promise<void> {
  // What is out of sight moves unseen anyway.
  if (document.hidden) return await replace();
  const focused = document.activeElement;
  document.body.style.visibility = "hidden";
  await Promise.race([replace(), pause(HIDDEN_AT_MOST_MS)]);
  // The new content takes its place in a frame that is still hidden.
  await nextFrame();
  await nextFrame();
  document.body.style.visibility = "";
  if (focused instanceof HTMLElement && focused !== document.body)
    focused.focus({ preventScroll: true });
}

function nextFrame(): Promise<unknown> {
  return new Promise(requestAnimationFrame);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
