import { text } from "node:stream/consumers";
import { renderToString } from "react-dom/server";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { requestDetailsOf, setRenderedPage } from "#platform/http/request.server.ts";
import { deferScriptsUntilPaint } from "#platform/http/scripts-after-paint.ts";
import { logFailure } from "#platform/log-failure.server.ts";

/**
 * Renders a page whole before it answers, so that its status is true and nothing arrives later. Loaders
 * have read everything by then, so it is rendered into one string and not piece by piece; the answer is
 * its head alone, and the page goes beside it. What a page waits for while it renders would be left out.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  { serverHandoffStream, ...routerContext }: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method !== "HEAD") {
    const nonce = requestDetailsOf(context).nonce ?? undefined;
    const pageData = serverHandoffStream ? await text(serverHandoffStream) : null;
    // Rendered so, a document comes without its doctype.
    const html = `<!DOCTYPE html>${renderToString(
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
    )}`;
    const page = pageData === null ? html : withPageData(html, pageData, nonce);
    // In development the order of the scripts is the builder's business.
    setRenderedPage(
      context,
      Buffer.from(import.meta.env.PROD ? deferScriptsUntilPaint(page, nonce) : page),
    );
  }
  return new Response(null, { status, headers });
}

const NOT_IN_SCRIPTS = /[&<>\u2028\u2029]/g;

/** Adds what the router's own streaming would send last: the page's data, for the scripts to begin from. */
function withPageData(html: string, pageData: string, nonce: string | undefined): string {
  const words = JSON.stringify(pageData).replace(
    NOT_IN_SCRIPTS,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const end = html.lastIndexOf("</body>");
  const stream = "window.__reactRouterContext.streamController";
  return `${html.slice(0, end)}<script${nonce ? ` nonce="${nonce}"` : ""}>${stream}.enqueue(${words});${stream}.close();</script>${html.slice(end)}`;
}

/** What went wrong in a loader or action, for the log; a page that is not there is nobody's fault. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
) {
  if (request.signal.aborted) return;
  // A page that answers 503 has been logged where the failure was.
  if (isRouteErrorResponse(error) && (error.status < 500 || error.status === 503)) return;
  const facts = {
    request: requestDetailsOf(context).id,
    path: new URL(request.url).pathname,
    error,
  };
  logFailure("error", facts, "request failed");
}
