import type { IncomingMessage } from "node:http";
import { createTrustedProxyCheck } from "./client-address.server.ts";

/**
 * Returns a function that gives a request the protocol and host of the public address, when its
 * peer is a trusted proxy. It changes `request.url` to the absolute form, from which the server
 * adapter builds the URL that everything else reads. Must run before the adapter sees the request.
 *
 * The proxy's own headers are not read for this: the operator has stated the public address in
 * APP_URL, and a forwarded header could only contradict it.
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
