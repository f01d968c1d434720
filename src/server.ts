import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from "node:http";
import { Server as NetServer } from "node:net";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as build from "virtual:react-router/server-build";
import { getRequestListener } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { parseSessionToken } from "#accounts/accounts.server.ts";
import { api, getCachedData } from "#api.server.ts";
import { maxBodyBytes } from "#body-limits.server.ts";
import { jobs } from "#jobs.server.ts";
import { listCheckoutOrigins } from "#payments/payments.server.ts";
import { compareClocksAtStart } from "#platform/clock-skew.server.ts";
import {
  closeDatabase,
  databaseLimits,
  hasUnsupportedCharacters,
  isDatabaseUnavailable,
  pool,
} from "#platform/database.server.ts";
import { startDemoClock } from "#platform/demo-clock.server.ts";
import { env } from "#platform/env.server.ts";
import { unavailableMessage } from "#platform/failure-message.server.ts";
import {
  type CachedResponse,
  createCachedResponseSender,
} from "#platform/http/cached-responses.server.ts";
import { createClientAddressReader } from "#platform/http/client-address.server.ts";
import { compressResponse, negotiateEncoding } from "#platform/http/compress.server.ts";
import { withFormBody } from "#platform/http/form-body.server.ts";
import {
  contentLength,
  type HttpContext,
  type HttpEnv,
  jsonError,
} from "#platform/http/http.server.ts";
import { isSameOrigin } from "#platform/http/origin-check.server.ts";
import { cachedGuestPage, getCachedGuestPage } from "#platform/http/page-cache.server.ts";
import { createPublicUrlSetter } from "#platform/http/public-url.server.ts";
import { REFUSALS, type Refusal } from "#platform/http/refusals.ts";
import { getRenderedPage, setRequestDetails } from "#platform/http/request.server.ts";
import {
  allowFormTargets,
  buildContentSecurityPolicy,
  getAssetHeaders,
  getSecurityHeaders,
} from "#platform/http/security-headers.server.ts";
import { serveInOrder } from "#platform/http/serve-in-order.server.ts";
import { withErrorPages } from "#platform/http/with-error-pages.server.ts";
import { log, logConsole } from "#platform/log.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { observeRequest } from "#platform/metrics.server.ts";
import { startListening, stopListening } from "#platform/notify.server.ts";
import { waitForDatabase } from "#platform/postgres/wait-for-database.server.ts";
import { startQueue, stopQueue } from "#platform/queue.server.ts";
import { beginShutdown, type ShutdownKind, shutdownSignal } from "#platform/shutdown.server.ts";
import { cachedPageParams, setOfflineOwner } from "#site/site.server.ts";

allowFormTargets(listCheckoutOrigins);

/** The paths that answer with JSON, also when they refuse a request. */
const JSON_PATHS = /^\/((api|\.netlify|webhooks|v1)\/|health\b|metrics\b)/;
const REFUSAL_MESSAGES: Record<Refusal, string> = {
  "cross-site": "This request came from another website, so we refused it.",
  "too-large": "The request body is too large.",
  "not-a-form": "Send the data as a form.",
};
/** Maximum number of connections waiting to be accepted; the system's own limit may be lower. */
const BACKLOG = 4096;
/**
 * Keep-alive timeout. Short for direct clients, because there can be thousands. Behind a proxy it
 * is longer than the timeout of common proxies, which could otherwise reuse a closed connection.
 */
const KEEP_ALIVE_TIMEOUT_MS = { public: 5_000, proxy: 75_000 };
/**
 * Delay of a graceful shutdown. Exceeds the keep-alive timeout of direct clients, and lets a load
 * balancer that checks readiness every two seconds receive at least two failures.
 */
const SHUTDOWN_DELAY_MS = 6_000;
const CLOSE_IDLE_INTERVAL_MS = 100;
const CLIENT_FILES = "build/client";

/** Returns the URL paths of the files in a folder; none when the folder does not exist. */
function listUrlPaths(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      (entry) => `/${relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/")}`,
    );
}

/** Creates the HTTP application: middleware, the JSON API, static files and pages. */
export function createApp(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const readClientAddress = createClientAddressReader(env().trustedProxy);
  const headersForPages = Object.entries(getSecurityHeaders());
  const headersForAssets = Object.entries(getAssetHeaders());
  // Error details are shown in development only.
  const mode = import.meta.env.MODE === "development" ? "development" : "production";
  // React Router compares a form's Origin with the request's URL, which is http behind a proxy that
  // TRUSTED_PROXY does not name. Our own origin check, which is stricter, has already accepted this
  // host, and the origin `null` of requests that the browser says come from this site.
  const allowedActionOrigins = [new URL(env().appUrl).host, "null"];
  const renderPage = createRequestHandler({ ...withErrorPages(build), allowedActionOrigins }, mode);

  app.use(async (c, next) => {
    const { address } = readClientAddress(c);
    const cookies = c.req.header("cookie") ?? null;
    const path = c.req.path.replace(/(^\/_root)?\.data$/, "") || "/";
    const id = randomUUID();
    c.set("requestDetails", { id, path, clientAddress: address, cookies, nonce: null });
    const responseHeaders = path.startsWith("/assets/")
      ? headersForAssets
      : [...headersForPages, ["X-Request-Id", id] as const];
    // Setting headers on the Node response is cheapest. Without a socket they are set below.
    const nodeResponse = c.env?.outgoing;
    if (nodeResponse)
      for (const [name, value] of responseHeaders) nodeResponse.setHeader(name, value);
    const startedAt = performance.now();
    await next();
    // During shutdown, clients must not reuse the connection.
    if (shutdownSignal.aborted && nodeResponse && !nodeResponse.headersSent)
      nodeResponse.setHeader("Connection", "close");
    observeRequest(
      { method: c.req.method, path: c.req.path, status: c.res.status },
      (performance.now() - startedAt) / 1000,
    );
    if (!nodeResponse)
      for (const [name, value] of responseHeaders)
        if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    if (c.res.status === 503 && !c.res.headers.has("Retry-After"))
      c.res.headers.set("Retry-After", "5");
  });
  // The Fetch API cannot construct a Request with these methods, which echo the request.
  app.use(async (c, next) =>
    c.req.method === "TRACE" || c.req.method === "TRACK"
      ? jsonError(c, 405, "This address doesn't accept that kind of request.")
      : await next(),
  );
  const sendPage = async (c: HttpContext, request: Request, refusal?: Refusal) => {
    const nonce = randomBytes(16).toString("base64");
    const context = new RouterContextProvider();
    setRequestDetails(context, { ...c.get("requestDetails"), nonce, refusal });
    const response = await compressResponse(
      await renderPage(request, context),
      c.req.header("accept-encoding"),
      getRenderedPage(context),
    );
    await setOfflineOwner(response.headers, context);
    response.headers.set("Content-Security-Policy", buildContentSecurityPolicy({ nonce }));
    response.headers.set("Cache-Control", "no-store");
    return response;
  };
  const refuse = async (c: HttpContext, refusal: Refusal) => {
    const acceptsJsonOnly = c.req.header("accept") === "application/json";
    if (c.req.method !== "POST" || acceptsJsonOnly || JSON_PATHS.test(c.req.path))
      return jsonError(c, REFUSALS[refusal].status, REFUSAL_MESSAGES[refusal]);
    // The page is rendered as for an empty form of this site, so the body is neither read nor parsed.
    const headers = new Headers(c.req.raw.headers);
    for (const name of ["content-length", "content-type", "origin", "transfer-encoding"])
      headers.delete(name);
    return await sendPage(c, new Request(c.req.url, { method: "POST", headers }), refusal);
  };
  app.use(async (c, next) => {
    const maxSize = maxBodyBytes(c.get("requestDetails").path);
    const length = contentLength(c);
    const onError = () => refuse(c, "too-large");
    if (length === null) return await bodyLimit({ maxSize, onError })(c, next);
    return length > maxSize ? await onError() : await next();
  });
  app.use(async (c, next) => {
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    // Webhooks do not come from a browser and are authenticated by their signature.
    if (isRead || c.req.path.startsWith("/webhooks/") || isSameOrigin(c, env().appUrl))
      return await next();
    return await refuse(c, "cross-site");
  });

  app.route("/", api());

  const createFileHandler = (cacheControl: (path: string) => string): MiddlewareHandler => {
    const serveFile = serveStatic({
      root: CLIENT_FILES,
      precompressed: true,
      onFound: (path, c) => c.header("Cache-Control", cacheControl(path)),
    });
    return (c, next) => {
      // serveStatic only knows the encodings exactly as `br` and `gzip`, without a quality.
      const encoding = negotiateEncoding(c.req.header("accept-encoding"));
      c.req.raw.headers.set("Accept-Encoding", encoding);
      return serveFile(c, next);
    };
  };
  const serveAsset = createFileHandler(() => "public, max-age=31536000, immutable");
  app.use("/assets/*", async (c) => {
    const file = await serveAsset(c, async () => {});
    if (!file) {
      // A machine of the next release may have the file.
      c.header("Cache-Control", "no-store");
      return c.text("File not found", 404);
    }
    // Immutable files are never revalidated, so Last-Modified would waste 46 bytes per file.
    file.headers.delete("Last-Modified");
    return file;
  });
  const clientFiles = new Set(listUrlPaths(CLIENT_FILES));
  const serveFile = createFileHandler((path) =>
    // Browsers must always revalidate the service worker to find a new release.
    path.includes("service-worker.js") ? "no-cache" : "public, max-age=3600",
  );
  // Reads the disk for known files only, not for every request of a page.
  app.use("/*", (c, next) => (clientFiles.has(c.req.path) ? serveFile(c, next) : next()));

  app.all("*", async (c) => {
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    const token = isRead ? parseSessionToken(c.req.header("cookie") ?? null) : null;
    const isGuestPage = isRead && !c.req.path.endsWith(".data") && token === null;
    const request = isRead ? c.req.raw : await withFormBody(c.req.raw);
    if (typeof request === "string") return await refuse(c, request);
    if (isGuestPage) {
      const response = await cachedGuestPage(
        c,
        cachedPageParams(c.req.path),
        async ({ url, nonce }) => {
          // Always GET, because the rendered page is cached for all guests, not for a HEAD request.
          const pageRequest = new Request(url, { method: "GET", headers: request.headers });
          const context = new RouterContextProvider();
          setRequestDetails(context, { ...c.get("requestDetails"), nonce });
          const rendered = await renderPage(pageRequest, context);
          const page = getRenderedPage(context);
          return page ? new Response(page, rendered) : rendered;
        },
      );
      await setOfflineOwner(response.headers, null);
      return response;
    }
    return await sendPage(c, request);
  });

  app.onError((error, c) => {
    if (hasUnsupportedCharacters(error))
      return jsonError(
        c,
        400,
        "Your text contains a hidden character we can't save. Type it again instead of pasting it.",
      );
    const details = { request: c.get("requestDetails")?.id, path: c.req.path, error };
    logFailure("error", details, "request failed");
    return isDatabaseUnavailable(error)
      ? jsonError(c, 503, unavailableMessage(error))
      : jsonError(c, 500, "Sorry, something went wrong.");
  });
  return app;
}

/**
 * Waits for the database, compares the clocks, and connects this process to the notices and the job
 * queue. Processes background jobs when `runsJobs` is true. Returns a function that disconnects.
 */
export async function connectProcess(runsJobs: boolean): Promise<() => Promise<void>> {
  startDemoClock(env());
  const { databaseConnectMs } = env();
  if (databaseConnectMs) databaseLimits.connectMs = databaseConnectMs;
  await waitForDatabase(env().databaseUrl ?? "", (line) => log.warn(line));
  await compareClocksAtStart((text) => pool().query(text));
  await startListening();
  await startQueue(runsJobs ? jobs() : null);
  return async () => {
    await stopQueue();
    await stopListening();
    await closeDatabase();
  };
}

/**
 * Creates the HTTP server of the application. Cached responses are sent immediately, because building a
 * request and passing it through the application takes most of the time of a small response.
 */
export function createHttpServer(): Server {
  // For load balancer checks without a Host header.
  const hostname = new URL(env().appUrl).host;
  const respond = getRequestListener(createApp().fetch, { hostname });
  const setPublicUrl = createPublicUrlSetter(env());
  const sendCached = createCachedResponseSender(findCachedResponse);
  return createServer(
    serveInOrder((request, response) => {
      if (sendCached(request, response)) return;
      if (isReadWithBody(request)) response.setHeader("Connection", "close");
      // Must run before the adapter builds the request's URL.
      setPublicUrl(request);
      void respond(request, response);
    }),
  );
}

/** Returns true for a GET or HEAD request with a body, which nobody reads and which might never end. */
function isReadWithBody({ method, headers }: IncomingMessage): boolean {
  return (
    (method === "GET" || method === "HEAD") &&
    (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0)
  );
}

/** Returns the cached response to a GET request, or null. Users never get the page of a guest. */
function findCachedResponse(target: string, headers: IncomingHttpHeaders): CachedResponse | null {
  const isGuest = parseSessionToken(headers.cookie ?? null) === null;
  return (
    getCachedData(target, headers, isGuest) ??
    (isGuest ? getCachedGuestPage(target, headers) : null)
  );
}

/**
 * Starts the HTTP server in this process, and processes background jobs when `runsJobs` is true.
 */
export async function serve(options: {
  port: number;
  host: string;
  runsJobs: boolean;
}): Promise<{ stop(kind: ShutdownKind): Promise<void> }> {
  logConsole();
  const disconnect = await connectProcess(options.runsJobs);
  const server = createHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS[env().trustedProxy ? "proxy" : "public"];
  server.listen({ port: options.port, host: options.host, backlog: BACKLOG });
  await once(server, "listening");
  return {
    async stop(kind) {
      // From now on each response closes its connection.
      beginShutdown(kind);
      if (kind === "drain") await sleep(SHUTDOWN_DELAY_MS);
      // Calls close() of net.Server, because http.Server's own close() immediately drops keep-alive
      // connections, on which a request may be arriving.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      if (kind === "replaced") await Promise.race([closed, sleep(SHUTDOWN_DELAY_MS)]);
      const closeIdleTimer = setInterval(
        () => server.closeIdleConnections(),
        CLOSE_IDLE_INTERVAL_MS,
      );
      await closed;
      clearInterval(closeIdleTimer);
      await disconnect();
    },
  };
}
