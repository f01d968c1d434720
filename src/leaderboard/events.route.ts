import { streamSSE } from "hono/streaming";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { onNotice } from "#platform/notify.server.ts";
import { closing } from "#platform/shutdown.server.ts";

const HEARTBEAT_MS = 15_000;
const MAX_AGE_MS = 10 * 60_000;
/** Many phones share one carrier's address, so the cap for one is generous. */
const MAX_STREAMS_PER_ADDRESS = 500;
const MAX_STREAMS = 5_000;

const streams = new Map<string, number>();
let open = 0;

/**
 * Tells whoever listens that the leaderboard has changed: no name, no number, no tip. The listener
 * asks for the board itself. A stream ends after ten minutes and the browser comes back.
 */
export async function leaderboardEvents(c: HttpContext): Promise<Response> {
  const address = c.get("facts").clientAddress;
  const ofAddress = streams.get(address) ?? 0;
  if (open >= MAX_STREAMS || ofAddress >= MAX_STREAMS_PER_ADDRESS)
    return jsonError(c, 503, "Too many live connections. The page will refresh on its own.");
  streams.set(address, ofAddress + 1);
  open += 1;
  let left = false;
  const leave = () => {
    if (left) return;
    left = true;
    open -= 1;
    const rest = (streams.get(address) ?? 1) - 1;
    if (rest > 0) streams.set(address, rest);
    else streams.delete(address);
  };

  c.header("Cache-Control", "no-store");
  // A proxy must not keep the events back to fill a buffer.
  c.header("X-Accel-Buffering", "no");
  return streamSSE(c, async (stream) => {
    let changed = false;
    let wake: (() => void) | null = null;
    const rouse = () => {
      const waiting = wake;
      wake = null;
      waiting?.();
    };
    // Notices that come while a slow reader is being written to become one.
    const forget = onNotice("leaderboard", () => {
      changed = true;
      rouse();
    });
    stream.onAbort(rouse);
    c.req.raw.signal.addEventListener("abort", rouse);
    closing.addEventListener("abort", rouse);
    const endsAt = Date.now() + MAX_AGE_MS;
    try {
      await stream.write("retry: 3000\n\n");
      while (!stream.aborted && !stream.closed && !closing.aborted && Date.now() < endsAt) {
        if (changed) {
          changed = false;
          await stream.writeSSE({ event: "leaderboard", data: "changed" });
          continue;
        }
        let heartbeat: NodeJS.Timeout | undefined;
        const roused = await Promise.race([
          new Promise<true>((resolve) => {
            wake = () => resolve(true);
          }),
          new Promise<false>((resolve) => {
            heartbeat = setTimeout(() => resolve(false), HEARTBEAT_MS);
          }),
        ]);
        clearTimeout(heartbeat);
        if (!roused && !stream.aborted) await stream.write(": still here\n\n");
      }
    } finally {
      closing.removeEventListener("abort", rouse);
      forget();
      leave();
    }
  });
}
