import { type ContextType, use, useEffect, useSyncExternalStore } from "react";
import {
  createPath,
  UNSAFE_DataRouterContext as DataRouterContext,
  type DataStrategyResult,
  data,
  UNSAFE_FrameworkContext as FrameworkContext,
  type MiddlewareFunction,
  matchRoutes,
} from "react-router";
import { isNetworkError } from "#ui/is-network-error.ts";
import { type FailedSubmission, FIELD_SELECTOR } from "./delivery-message.ts";
import { EARLY_NOTICE_ATTRIBUTE, HYDRATED_FORMS_ATTRIBUTE } from "./early-submission.ts";

type Router = NonNullable<ContextType<typeof DataRouterContext>>["router"];
type Manifest = NonNullable<ContextType<typeof FrameworkContext>>["manifest"];
/**
 * Callbacks that replace the default handling of a failed submission, and the error page of one that the
 * server has answered with an error, by the form's path.
 */
type FailureHandlers = Record<string, () => void>;

let app: { router: Router; manifest: Manifest; failureHandlers: FailureHandlers } | null = null;
let failedSubmission: FailedSubmission | null = null;
let lastForm: HTMLFormElement | null = null;
/** Whether the server no longer has the modules of this page's release. */
let isOutdated = false;
const listeners = new Set<() => void>();
const loadedModules = new Set<string>();
/** Firefox reports an error when a navigation aborts a response before its last bytes. */
const NAVIGATION_DELAY_MS = 50;

/** Clears the failed submission. Called when the user leaves the page. */
export function clearFailedSubmission(): void {
  setFailedSubmission(null);
}

/** Returns the last failed submission, or null after the next submission. */
export function useFailedSubmission(): FailedSubmission | null {
  return useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    () => failedSubmission,
    () => null,
  );
}

/**
 * Keeps every form of the page, with its input, when it is submitted without a connection. Sends
 * nothing until the modules needed by the response are loaded, because React Router reloads the
 * page and loses the form when one is missing. If the server no longer has them, the browser sends
 * the form without them. Must be called once, in the site layout.
 */
export function useSubmissionFailureHandling(failureHandlers: FailureHandlers): void {
  const router = use(DataRouterContext)?.router;
  const manifest = use(FrameworkContext)?.manifest;
  useEffect(() => {
    if (!router || !manifest) return;
    app = { router, manifest, failureHandlers };
    // Runs before React's listener on the document.
    window.addEventListener("submit", checkBeforeSubmit, true);
    window.addEventListener("focusin", preloadModules);
    document.documentElement.setAttribute(HYDRATED_FORMS_ATTRIBUTE, "");
    document.querySelector(`[${EARLY_NOTICE_ATTRIBUTE}]`)?.remove();
    return () => {
      app = null;
      window.removeEventListener("submit", checkBeforeSubmit, true);
      window.removeEventListener("focusin", preloadModules);
      document.documentElement.removeAttribute(HYDRATED_FORMS_ATTRIBUTE);
    };
  }, [router, manifest, failureHandlers]);
}

/**
 * Loads the document of a page whose modules belong to a release that the server no longer has.
 * React Router would reload the current page instead. Used in the root route's `clientMiddleware`.
 */
export const loadPageOfNewRelease: MiddlewareFunction<Record<string, DataStrategyResult>> = async (
  { request },
  next,
) => {
  if (request.method === "GET")
    // React Router imports the same modules at the same time. The timer runs after its handling of a
    // failure, which the later navigation replaces.
    for (const url of listModules(new URL(request.url).pathname))
      import(/* @vite-ignore */ url).catch(() => setTimeout(() => loadDocument(request)));
  return await next();
};

/** Returns true when a form can be sent to this path now. Reports a failed submission otherwise. */
export async function canSubmit(action: string): Promise<boolean> {
  lastForm = null;
  const path = new URL(action, location.href).pathname;
  const isReady =
    navigator.onLine &&
    (await loadModules(path)
      .then(() => true)
      .catch(() => false));
  if (!isReady) markAsFailed(path, "not-sent");
  return isReady;
}

/**
 * Keeps the page unchanged, instead of showing an error page, when a form gets no response. Waits
 * for the end of a response that leads to another document. Used in the root route's
 * `clientMiddleware`.
 */
export const keepFormWithoutResponse: MiddlewareFunction<
  Record<string, DataStrategyResult>
> = async ({ request }, next) => {
  if (request.method === "GET") return;
  const wasOnline = navigator.onLine;
  const results = await next();
  const [routeId, result] = Object.entries(results)[0] ?? [];
  if (isDocumentNavigation(result))
    await new Promise((resolve) => setTimeout(resolve, NAVIGATION_DELAY_MS));
  const { pathname } = new URL(request.url);
  const isFailure =
    hasNoResponse(result) || (result?.type === "error" && app?.failureHandlers[pathname]);
  if (!app || !routeId || !isFailure || request.signal.aborted) return results;
  const { location: currentLocation, navigation } = app.router.state;
  if (navigation.state === "submitting" && toPath(navigation.formAction) === pathname)
    void app.router.navigate(currentLocation, {
      replace: true,
      state: currentLocation.state,
      preventScrollReset: true,
      defaultShouldRevalidate: false,
    });
  markAsFailed(pathname, wasOnline ? "no-response" : "not-sent");
  // An error status prevents React Router from revalidating.
  return { [routeId]: { type: "data", result: data(undefined, { status: 503 }) } };
};

function checkBeforeSubmit(event: Event): void {
  const { target: form, submitter } = event as SubmitEvent;
  if (!(form instanceof HTMLFormElement)) return;
  const method = readMethod(form, submitter);
  // The browser itself sends the form and loads the document of the response.
  if (isOutdated && method !== null) {
    event.stopImmediatePropagation();
    return;
  }
  // A form without a method is handled by its page, for example the contact form.
  if (method === null) return;
  const path = findActionPath(form, submitter);
  if (path === null) return;
  lastForm = form;
  if (!navigator.onLine) {
    cancelEvent(event);
    markAsFailed(path, "not-sent");
    return;
  }
  setFailedSubmission(null);
  if (method !== "post") return;
  if (listModules(path).every((url) => loadedModules.has(url))) return;
  cancelEvent(event);
  loadModules(path).then(
    () => {
      if (form.isConnected) form.requestSubmit(submitter);
    },
    () => {
      if (isOutdated) form.requestSubmit(submitter);
      else markAsFailed(path, "not-sent");
    },
  );
}

/** Loads the document of a page if the user is still waiting for it. */
function loadDocument(request: Request): void {
  const target = app?.router.state.navigation.location;
  const { pathname, search } = new URL(request.url);
  if (target?.pathname === pathname && target.search === search)
    window.location.assign(createPath(target));
}

/** Loads the modules needed by the response of a form when the form receives focus. */
function preloadModules({ target }: Event): void {
  const form = target instanceof Element ? target.closest("form") : null;
  const path = form && readMethod(form, null) === "post" ? findActionPath(form, null) : null;
  if (path !== null) loadModules(path).catch(() => {});
}

function cancelEvent(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function markAsFailed(path: string, reason: FailedSubmission["reason"]): void {
  const handleFailure = app?.failureHandlers[path];
  if (handleFailure) {
    setFailedSubmission(null);
    handleFailure();
    return;
  }
  const messages = lastForm?.isConnected ? lastForm.dataset : {};
  setFailedSubmission({
    reason,
    message: (reason === "not-sent" ? messages.notSent : messages.noResponse) ?? null,
    hasFields: lastForm?.isConnected === true && lastForm.querySelector(FIELD_SELECTOR) !== null,
  });
}

function setFailedSubmission(submission: FailedSubmission | null): void {
  if (failedSubmission === submission) return;
  failedSubmission = submission;
  for (const listener of listeners) listener();
}

/** Returns the method in the markup, or null without one. */
function readMethod(form: HTMLFormElement, submitter: HTMLElement | null): string | null {
  const method = submitter?.getAttribute("formmethod") ?? form.getAttribute("method");
  return method?.toLowerCase() ?? null;
}

/** Returns the path to which a form is sent, or null for another origin. */
function findActionPath(form: HTMLFormElement, submitter: HTMLElement | null): string | null {
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  const url = new URL(action ?? location.href, location.href);
  return url.origin === location.origin ? url.pathname : null;
}

function toPath(action: string | undefined): string | null {
  return action === undefined ? null : new URL(action, location.href).pathname;
}

function listModules(path: string): string[] {
  if (!app) return [];
  const { router, manifest } = app;
  return (matchRoutes(router.routes, path) ?? []).flatMap(({ route }) => {
    const routeManifest = route.id ? manifest.routes[route.id] : undefined;
    if (!routeManifest) return [];
    const { module, clientActionModule, clientLoaderModule } = routeManifest;
    return [module, clientActionModule, clientLoaderModule].filter((url) => url !== undefined);
  });
}

async function loadModules(path: string): Promise<void> {
  await Promise.all(
    listModules(path).map(async (url) => {
      if (loadedModules.has(url)) return;
      // Fetches the module first because browsers may cache a failed import until a reload.
      const response = await fetch(url);
      isOutdated ||= response.status === 404;
      if (!response.ok) throw new TypeError(`${url} returned ${response.status}`);
      await import(/* @vite-ignore */ url);
      loadedModules.add(url);
    }),
  );
}

function hasNoResponse(result: DataStrategyResult | undefined): boolean {
  if (result?.type !== "error") return false;
  const thrownValue: unknown = result.result;
  const error = isDataWithInit(thrownValue) ? thrownValue.data : thrownValue;
  // A truncated response cannot be decoded.
  return isNetworkError(error) || (error instanceof Error && isNetworkError(error.cause));
}

/** Returns true when the response leads to another document, such as the payment page. */
function isDocumentNavigation(result: DataStrategyResult | undefined): boolean {
  const response: unknown = result?.result;
  if (!(response instanceof Response)) return false;
  const { headers } = response;
  const target = headers.get("Location");
  return (
    headers.has("X-Remix-Reload-Document") ||
    (target !== null && new URL(target, location.href).origin !== location.origin)
  );
}

function isDataWithInit(value: unknown): value is { data: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    value.type === "DataWithResponseInit"
  );
}
