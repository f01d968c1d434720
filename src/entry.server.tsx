import { text } from "node:stream/consumers";
import { renderToString } from "react-dom/server";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { deferScripts, type ScriptStart } from "#platform/http/deferred-scripts.ts";
import { getRequestDetails, setRenderedPage } from "#platform/http/request.server.ts";
import { toScriptString } from "#platform/http/script-string.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { DIALOG_PARAMETERS } from "#ui/dialog-link.tsx";

/**
 * Renders the complete page before responding, so that the status is final. Loaders have finished
 * by then, so the page is rendered to one string instead of a stream. Returns a response without a
 * body; the page is passed to `setRenderedPage`. Components that suspend would be omitted.
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
    const nonce = getRequestDetails(context).nonce ?? undefined;
    const pageData = serverHandoffStream ? await text(serverHandoffStream) : null;
    // renderToString does not add the doctype.
    const html = `<!DOCTYPE html>${renderToString(
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
    )}`;
    const page = pageData === null ? html : appendPageData(html, pageData, nonce);
    // In development the bundler determines the order of the scripts.
    setRenderedPage(
      context,
      Buffer.from(
        import.meta.env.PROD
          ? deferScripts(page, { nonce, start: findScriptStart(request, routerContext) })
          : page,
      ),
    );
  }
  return new Response(null, { status, headers });
}

/**
 * Returns when the scripts start: for a guest, when the route's `handle` says (`scriptStart`), unless the address asks for
 * a dialog or the page is the result of a form.
 */
function findScriptStart(
  { method, url }: Request,
  {
    routeModules,
    staticHandlerContext: { matches, loaderData },
  }: Omit<EntryContext, "serverHandoffStream">,
): ScriptStart {
  const { searchParams } = new URL(url);
  if (method !== "GET" || DIALOG_PARAMETERS.some((name) => searchParams.has(name))) return "paint";
  const layout = loaderData["site-layout"] as { viewer: unknown } | undefined;
  if (layout?.viewer !== null) return "paint";
  const handles = matches.map(
    ({ route }) => routeModules[route.id]?.handle as { scriptStart?: ScriptStart } | undefined,
  );
  return handles.findLast((handle) => handle?.scriptStart)?.scriptStart ?? "paint";
}

/** Appends the page's data for hydration, which React Router's own streaming would send last. */
function appendPageData(html: string, pageData: string, nonce: string | undefined): string {
  const escaped = toScriptString(pageData);
  const end = html.lastIndexOf("</body>");
  const stream = "window.__reactRouterContext.streamController";
  return `${html.slice(0, end)}<script${nonce ? ` nonce="${nonce}"` : ""}>${stream}.enqueue(${escaped});${stream}.close();</script>${html.slice(end)}`;
}

/** Logs the error of a loader or action, except responses below 500 such as a missing page. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
) {
  if (request.signal.aborted) return;
  // The cause of a 503 has already been logged.
  if (isRouteErrorResponse(error) && (error.status < 500 || error.status === 503)) return;
  const details = {
    request: getRequestDetails(context).id,
    path: new URL(request.url).pathname,
    error,
  };
  logFailure("error", details, "request failed");
}
