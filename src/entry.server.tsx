import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { log } from "#platform/log.server.ts";
import { factsOf } from "#platform/request.server.ts";
import { holdScripts } from "#platform/scripts-after-paint.ts";

const ABORT_AFTER_MS = 6_000;

/** Renders a page whole before it answers, so that its status is true and nothing arrives later. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
) {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const nonce = factsOf(context).nonce ?? undefined;
  // In development the order of the scripts is the builder's business.
  const finish = (html: string) => (import.meta.env.PROD ? holdScripts(html, nonce) : html);
  return new Promise<Response>((resolve, reject) => {
    let timeout: NodeJS.Timeout | undefined;
    const { pipe, abort } = renderToPipeableStream(
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
      {
        nonce,
        onAllReady() {
          clearTimeout(timeout);
          const page = new PassThrough();
          text(page).then(
            (html) => resolve(new Response(finish(html), { status, headers })),
            reject,
          );
          pipe(page);
        },
        onShellError(error) {
          clearTimeout(timeout);
          reject(error);
        },
        onError(error) {
          log.error({ request: factsOf(context).id, error: String(error) }, "rendering failed");
        },
      },
    );
    timeout = setTimeout(() => abort(new Error("the page took too long")), ABORT_AFTER_MS);
  });
}

/** What went wrong in a loader or action, for the log; a page that is not there is nobody's fault. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
) {
  if (request.signal.aborted) return;
  if (isRouteErrorResponse(error) && error.status < 500) return;
  log.error(
    {
      request: factsOf(context).id,
      path: new URL(request.url).pathname,
      error: error instanceof Error ? error.stack : String(error),
    },
    "request failed",
  );
}
