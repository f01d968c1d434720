import { type ContextType, use, useEffect, useSyncExternalStore } from "react";
import {
  UNSAFE_DataRouterContext as DataRouterContext,
  type DataStrategyResult,
  data,
  UNSAFE_FrameworkContext as FrameworkContext,
  type MiddlewareFunction,
  matchRoutes,
} from "react-router";
import { isUnreachable } from "#ui/is-unreachable.ts";
import type { UndeliveredForm } from "./delivery-message.ts";

type Router = NonNullable<ContextType<typeof DataRouterContext>>["router"];
type Manifest = NonNullable<ContextType<typeof FrameworkContext>>["manifest"];
/** Callbacks that run instead of keeping the form, by the form's path. */
type Substitutes = Record<string, () => void>;

let app: { router: Router; manifest: Manifest; substitutes: Substitutes } | null = null;
let undelivered: UndeliveredForm | null = null;
let lastForm: HTMLFormElement | null = null;
const listeners = new Set<() => void>();
const loadedModules = new Set<string>();
/** Firefox reports an error when leaving the page cuts off the last bytes of a response. */
const LEAVE_AFTER_MS = 50;
const FIELDS = "input:not([type=hidden]), textarea, select";

/** Clears the undelivered form when its page is left. */
export function forgetUndeliveredForm(): void {
  setUndelivered(null);
}

/** Returns the last undelivered form, until a form is submitted again. */
export function useUndeliveredForm(): UndeliveredForm | null {
  return useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    () => undelivered,
    () => null,
  );
}

/**
 * Keeps every form of the page, with its input, when it is submitted without a connection. Nothing
 * is sent until the modules needed by the response are loaded: React Router reloads the page and
 * loses the form when one is missing. Must be called once, in the frame.
 */
export function useFormDelivery(substitutes: Substitutes): void {
  const router = use(DataRouterContext)?.router;
  const manifest = use(FrameworkContext)?.manifest;
  useEffect(() => {
    if (!router || !manifest) return;
    app = { router, manifest, substitutes };
    // Runs before React's listener on the document.
    window.addEventListener("submit", checkBeforeSending, true);
    window.addEventListener("focusin", preloadModules);
    return () => {
      app = null;
      window.removeEventListener("submit", checkBeforeSending, true);
      window.removeEventListener("focusin", preloadModules);
    };
  }, [router, manifest, substitutes]);
}

/**
 * Returns true when a form can be sent to this path now; otherwise shows the form as undelivered.
 */
export async function canDeliver(action: string): Promise<boolean> {
  lastForm = null;
  const path = new URL(action, location.href).pathname;
  const isReady =
    navigator.onLine &&
    (await loadModules(path)
      .then(() => true)
      .catch(() => false));
  if (!isReady) markUndelivered(path, "not-sent");
  return isReady;
}

/**
 * Keeps the page unchanged, instead of showing an error page, when a form gets no response. A
 * response that leads to another document is read to its end first. For the root route's
 * `clientMiddleware`.
 */
export const keepUnansweredForm: MiddlewareFunction<Record<string, DataStrategyResult>> = async (
  { request },
  next,
) => {
  if (request.method === "GET") return;
  const wasOnline = navigator.onLine;
  const results = await next();
  const [routeId, result] = Object.entries(results)[0] ?? [];
  if (leavesPage(result)) await new Promise((resolve) => setTimeout(resolve, LEAVE_AFTER_MS));
  if (!app || !routeId || !isUnanswered(result) || request.signal.aborted) return results;
  const { pathname } = new URL(request.url);
  const { location: shown, navigation } = app.router.state;
  if (navigation.state === "submitting" && pathOf(navigation.formAction) === pathname)
    void app.router.navigate(shown, {
      replace: true,
      state: shown.state,
      preventScrollReset: true,
      defaultShouldRevalidate: false,
    });
  markUndelivered(pathname, wasOnline ? "no-response" : "not-sent");
  // An error status prevents React Router from revalidating.
  return { [routeId]: { type: "data", result: data(undefined, { status: 503 }) } };
};

function checkBeforeSending(event: Event): void {
  const { target: form, submitter } = event as SubmitEvent;
  if (!(form instanceof HTMLFormElement) || !isPost(form, submitter)) return;
  const path = actionPath(form, submitter);
  if (path === null) return;
  lastForm = form;
  if (!navigator.onLine) {
    stop(event);
    markUndelivered(path, "not-sent");
    return;
  }
  setUndelivered(null);
  if (modulesOf(path).every((url) => loadedModules.has(url))) return;
  stop(event);
  loadModules(path).then(
    () => {
      if (form.isConnected) form.requestSubmit(submitter);
    },
    () => markUndelivered(path, "not-sent"),
  );
}

/** Loads the modules needed by the response of a form as soon as the form has the focus. */
function preloadModules({ target }: Event): void {
  const form = target instanceof Element ? target.closest("form") : null;
  const path = form && isPost(form, null) ? actionPath(form, null) : null;
  if (path !== null) loadModules(path).catch(() => {});
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function markUndelivered(path: string, reason: UndeliveredForm["reason"]): void {
  const substitute = app?.substitutes[path];
  if (substitute) {
    setUndelivered(null);
    substitute();
    return;
  }
  const messages = lastForm?.isConnected ? lastForm.dataset : {};
  setUndelivered({
    reason,
    note: (reason === "not-sent" ? messages.notSent : messages.noResponse) ?? null,
    hasFields: lastForm?.isConnected === true && lastForm.querySelector(FIELDS) !== null,
  });
}

function setUndelivered(form: UndeliveredForm | null): void {
  if (undelivered === form) return;
  undelivered = form;
  for (const listener of listeners) listener();
}

function isPost(form: HTMLFormElement, submitter: HTMLElement | null): boolean {
  const method = submitter?.getAttribute("formmethod") ?? form.getAttribute("method");
  return method?.toLowerCase() === "post";
}

/** Returns the path a form is sent to; null for another site. */
function actionPath(form: HTMLFormElement, submitter: HTMLElement | null): string | null {
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  const url = new URL(action ?? location.href, location.href);
  return url.origin === location.origin ? url.pathname : null;
}

function pathOf(action: string | undefined): string | null {
  return action === undefined ? null : new URL(action, location.href).pathname;
}

function modulesOf(path: string): string[] {
  if (!app) return [];
  const { router, manifest } = app;
  return (matchRoutes(router.routes, path) ?? []).flatMap(({ route }) => {
    const known = route.id ? manifest.routes[route.id] : undefined;
    if (!known) return [];
    const { module, clientActionModule, clientLoaderModule } = known;
    return [module, clientActionModule, clientLoaderModule].filter((url) => url !== undefined);
  });
}

async function loadModules(path: string): Promise<void> {
  await Promise.all(
    modulesOf(path).map(async (url) => {
      if (loadedModules.has(url)) return;
      // Fetched first because browsers may cache a failed import until the page is reloaded.
      const response = await fetch(url);
      if (!response.ok) throw new TypeError(`${url} returned ${response.status}`);
      await import(/* @vite-ignore */ url);
      loadedModules.add(url);
    }),
  );
}

function isUnanswered(result: DataStrategyResult | undefined): boolean {
  if (result?.type !== "error") return false;
  const thrown: unknown = result.result;
  const error = isWithInit(thrown) ? thrown.data : thrown;
  // A truncated response cannot be decoded.
  return isUnreachable(error) || (error instanceof Error && isUnreachable(error.cause));
}

/** Returns true when the response leads to another document, such as the payment page. */
function leavesPage(result: DataStrategyResult | undefined): boolean {
  const response: unknown = result?.result;
  if (!(response instanceof Response)) return false;
  const { headers } = response;
  const to = headers.get("Location");
  return (
    headers.has("X-Remix-Reload-Document") ||
    (to !== null && new URL(to, location.href).origin !== location.origin)
  );
}

function isWithInit(value: unknown): value is { data: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    value.type === "DataWithResponseInit"
  );
}
