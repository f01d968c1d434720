import { once } from "node:events";
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";

/** Hop-by-hop headers, which are not forwarded (RFC 9110, section 7.6.1). */
const HOP_BY_HOP_HEADERS = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

/**
 * Serves HTTPS, by HTTP/2 and HTTP/1.1, in front of a server that listens on plain HTTP, and
 * forwards requests as the load balancer in docs/operations.md does: it streams bodies and event streams
 * and sets X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host itself.
 */
export async function startTlsProxy(options: {
  certificate: { cert: string; key: string };
  /** The application's port on 127.0.0.1. */
  upstream: number;
  port?: number;
}): Promise<{ url: string; stop(): Promise<void> }> {
  // Idle connections are closed before the upstream closes them, after 75 s.
  const agent = new Agent({ keepAlive: true, timeout: 60_000 });
  const server = createSecureServer({ ...options.certificate, allowHTTP1: true });
  server.on("request", (incoming, outgoing) => {
    const host = incoming.headers[":authority"] ?? incoming.headers.host ?? "";
    const forwarded = request(
      {
        agent,
        host: "127.0.0.1",
        port: options.upstream,
        method: incoming.method,
        path: incoming.url,
        headers: {
          ...forwardHeaders(incoming.headers),
          host,
          "x-forwarded-for": incoming.socket.remoteAddress,
          "x-forwarded-proto": "https",
          "x-forwarded-host": host,
        },
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, forwardHeaders(response.headers));
        response.on("error", () => outgoing.destroy());
        response.pipe(outgoing);
      },
    );
    forwarded.on("error", () => {
      if (outgoing.headersSent) return outgoing.destroy();
      outgoing.writeHead(502, { "content-type": "text/plain" });
      outgoing.end("The upstream does not respond.");
    });
    // A client that disconnects also ends the forwarded request, such as an event stream.
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  const sessions = new Set<{ destroy(): void }>();
  for (const event of ["session", "secureConnection"] as const)
    server.on(event, (each: { destroy(): void; once(event: "close", done: () => void): void }) => {
      sessions.add(each);
      each.once("close", () => sessions.delete(each));
    });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const each of sessions) each.destroy();
      agent.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

function forwardHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !name.startsWith(":") && !HOP_BY_HOP_HEADERS.has(name),
    ),
  );
}
