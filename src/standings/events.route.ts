import { streamSSE } from "hono/streaming";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { onUpdate } from "#platform/notify.server.ts";
import { shutdownSignal } from "#platform/shutdown.server.ts";

const HEARTBEAT_MS = 15_000;
const MAX_AGE_MS = 10 * 60_000;
/** Many phones share one carrier's address, so the limit per address is generous. */
const MAX_STREAMS_PER_ADDRESS = 500;
const MAX_STREAMS = 5_000;

const streamsByAddress = new Map<string, number>();
let openStreams = 0;

/**
 * Streams a server-sent event after each change of the standings; the client then fetches them.
 * A stream ends after ten minutes and the browser reconnects.
 */
export async function streamStandingsEvents(c: HttpContext): Promise<Response> {
  const address = c.get("requestDetails").clientAddress;
  const addressStreams = streamsByAddress.get(address) ?? 0;
  if (openStreams >= MAX_STREAMS || addressStreams >= MAX_STREAMS_PER_ADDRESS)
    return jsonError(c, 503, "Too many live connections. The page will refresh on its own.");
  streamsByAddress.set(address, addressStreams + 1);
  openStreams += 1;
  let isReleased = false;
  const releaseSlot = () => {
    if (isReleased) return;
    isReleased = true;
    openStreams -= 1;
    const remaining = (streamsByAddress.get(address) ?? 1) - 1;
    if (remaining > 0) streamsByAddress.set(address, remaining);
    else streamsByAddress.delete(address);
  };

  c.header("Cache-Control", "no-store");
  // Disables response buffering in proxies.
  c.header("X-Accel-Buffering", "no");
  return streamSSE(c, async (stream) => {
    let hasChanged = false;
    let wake: (() => void) | null = null;
    const wakeUp = () => {
      const resume = wake;
      wake = null;
      resume?.();
    };
    // Changes during a slow write are combined into one event.
    const unsubscribe = onUpdate("standings", () => {
      hasChanged = true;
      wakeUp();
    });
    stream.onAbort(wakeUp);
    c.req.raw.signal.addEventListener("abort", wakeUp);
    shutdownSignal.addEventListener("abort", wakeUp);
    const endsAt = Date.now() + MAX_AGE_MS;
    try {
      await stream.write("retry: 3000\n\n");
      while (!stream.aborted && !stream.closed && !shutdownSignal.aborted && Date.now() < endsAt) {
        if (hasChanged) {
          hasChanged = false;
          await stream.writeSSE({ event: "leaderboard", data: "changed" });
          continue;
        }
        let heartbeat: NodeJS.Timeout | undefined;
        const wasWoken = await Promise.race([
          new Promise<true>((resolve) => {
            wake = () => resolve(true);
          }),
          new Promise<false>((resolve) => {
            heartbeat = setTimeout(() => resolve(false), HEARTBEAT_MS);
          }),
        ]);
        clearTimeout(heartbeat);
        if (!wasWoken && !stream.aborted) await stream.write(": still here\n\n");
      }
    } finally {
      shutdownSignal.removeEventListener("abort", wakeUp);
      unsubscribe();
      releaseSlot();
    }
  });
}
