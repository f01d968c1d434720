import type { IncomingMessage } from "node:http";
import { createTrustedProxyCheck } from "./client-address.server.ts";

/**
 * Returns a function that gives a request from a trusted proxy the protocol and host of APP_URL. It changes
 * `request.url` to the absolute form, from which the server adapter builds the URL of the request. Must be
 * called before the adapter.
 *
 * Ignores the proxy's forwarded headers, because they could only contradict APP_URL.
 */
export function createPublicUrlSetter({
  appUrl,
  trustedProxy,
}: {
  appUrl: string;
  trustedProxy: string | null;
}): (request: Pick<IncomingMessage, "url" | "socket">) => void {
  const isTrusted = createTrustedProxyCheck(trustedProxy);
  const { origin } = new URL(appUrl);
  return (request) => {
    if (!isTrusted(request.socket.remoteAddress ?? "")) return;
    const target = request.url ?? "/";
    if (target.startsWith("/")) request.url = origin + target;
    // A client may send the absolute form itself; only its path and query are used.
    else if (/^https?:/i.test(target) && URL.canParse(target)) {
      const { pathname, search } = new URL(target);
      request.url = origin + pathname + search;
    }
  };
}
