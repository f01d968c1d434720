import { useEffect, useState } from "react";
import {
  type DataStrategyResult,
  data,
  type MiddlewareFunction,
  useLocation,
  useNavigate,
  useNavigation,
} from "react-router";
import { isNetworkError } from "#ui/is-network-error.ts";
import { type FailedSubmission, FIELD_SELECTOR } from "./delivery-message.ts";
import { EARLY_NOTICE_ATTRIBUTE, HYDRATED_FORMS_ATTRIBUTE } from "./early-submission.ts";

type Results = Record<string, DataStrategyResult>;
type Reason = FailedSubmission["reason"];
/** What happens instead of a message or an error page when a submission fails, by the form's path. */
type FailureHandlers = Record<string, () => void>;

/** What the hook gives to the listener and the middleware. */
let page: {
  failureHandlers: FailureHandlers;
  show(path: string, reason: Reason | null): void;
  stay(path: string): void;
} | null = null;
let lastForm: HTMLFormElement | null = null;
/** Whether the server no longer has the modules of this page's release. */
let isOutdated = false;
const reachedPaths = new Set<string>();
/** The time in which React renders a navigation, and Firefox reads the rest of an aborted response. */
const SETTLE_MS = 50;

/** Keeps every form, with its input, when it gets no response. Returns the page's failed submission. */
export function useFormDelivery(failureHandlers: FailureHandlers): FailedSubmission | null {
  const [failedSubmission, setFailedSubmission] = useState<FailedSubmission | null>(null);
  const { formAction, state } = useNavigation();
  const navigate = useNavigate();
  const location = useLocation();
  useEffect(() => {
    page = {
      failureHandlers,
      show(path, reason) {
        if (reason) failureHandlers[path]?.();
        setFailedSubmission(reason && !failureHandlers[path] ? describeFailure(reason) : null);
      },
      stay(path) {
        if (state !== "submitting" || toUrl(formAction).pathname !== path) return;
        const options = { replace: true, preventScrollReset: true, defaultShouldRevalidate: false };
        navigate(location, { ...options, state: location.state });
      },
    };
    return () => {
      page = null;
    };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page discards the form
  useEffect(() => () => setFailedSubmission(null), [location.pathname]);
  useEffect(() => {
    // Runs before React's listener on the document.
    window.addEventListener("submit", checkBeforeSubmit, true);
    document.documentElement.setAttribute(HYDRATED_FORMS_ATTRIBUTE, "");
    document.querySelector(`[${EARLY_NOTICE_ATTRIBUTE}]`)?.remove();
    return () => {
      window.removeEventListener("submit", checkBeforeSubmit, true);
      document.documentElement.removeAttribute(HYDRATED_FORMS_ATTRIBUTE);
    };
  }, []);
  return failedSubmission;
}

/**
 * Returns true when a form can be sent to this path now. Shows a failed submission otherwise. React Router reloads the
 * page, and loses the form, when it cannot load the module of a path, so the server is asked first.
 */
export async function canSubmit(path: string, form: HTMLFormElement | null = null) {
  lastForm = form;
  const isReady = navigator.onLine && (reachedPaths.has(path) || (await isServerReachable()));
  if (isReady) reachedPaths.add(path);
  page?.show(path, isReady ? null : "not-sent");
  return isReady;
}

/** Asks for the list of this release's modules, which the server of another release does not have. */
async function isServerReachable(): Promise<boolean> {
  const resources = performance.getEntriesByType("resource");
  const list = resources.find(({ name }) => name.includes("/assets/manifest-"));
  const options = { method: "HEAD", cache: "no-store" } as const;
  const response = await fetch(list?.name ?? "/health/live", options).catch(() => null);
  isOutdated ||= response?.status === 404;
  return response !== null;
}

/**
 * Keeps the page unchanged, instead of showing an error page, when a form gets no response. Waits for the end of a
 * response that leads to another document. Used in the root route's `clientMiddleware`.
 */
export const keepFormWithoutResponse: MiddlewareFunction<Results> = async ({ request }, next) => {
  if (request.method === "GET") return;
  const wasOnline = navigator.onLine;
  const results = await next();
  const [[routeId, result] = []] = Object.entries(results);
  const path = toUrl(request.url).pathname;
  const isFailure =
    result?.type === "error" && (hasNoResponse(result.result) || page?.failureHandlers[path]);
  const { headers } = result?.result instanceof Response ? result.result : new Response();
  const leavesDocument =
    headers.has("X-Remix-Reload-Document") || headers.get("Location")?.startsWith("http");
  if (isFailure || leavesDocument) await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  if (!isFailure || !routeId || !page || request.signal.aborted) return results;
  page.stay(path);
  page.show(path, wasOnline ? "no-response" : "not-sent");
  // An error status prevents React Router from revalidating.
  return { [routeId]: { type: "data", result: data(undefined, { status: 503 }) } };
};

async function checkBeforeSubmit(event: SubmitEvent): Promise<void> {
  const form = event.target as HTMLFormElement;
  const { submitter } = event;
  const read = (name: string) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name);
  const { origin, pathname: path } = toUrl(read("action"));
  const method = read("method")?.toLowerCase();
  // A form without a method is handled by its page, for example the contact form.
  if (!method || origin !== window.location.origin) return;
  lastForm = form;
  page?.show(path, null);
  const isKnown = method !== "post" || path === window.location.pathname || reachedPaths.has(path);
  // The browser itself sends the form of an earlier release and loads the document of the response.
  if (isOutdated) event.stopImmediatePropagation();
  if (isOutdated || (navigator.onLine && isKnown)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if ((await canSubmit(path, form)) && form.isConnected) form.requestSubmit(submitter);
}

function toUrl(action: string | null | undefined): URL {
  return new URL(action ?? window.location.href, window.location.href);
}

function describeFailure(reason: Reason): FailedSubmission {
  const form = lastForm?.isConnected ? lastForm : null;
  const message = form?.dataset[reason === "not-sent" ? "notSent" : "noResponse"] ?? null;
  return { reason, message, hasFields: Boolean(form?.querySelector(FIELD_SELECTOR)) };
}

function hasNoResponse(thrown: unknown): boolean {
  // The error of a route may be wrapped. A response that is cut off cannot be decoded.
  const { data: error = thrown } = Object(thrown) as { data?: unknown };
  return isNetworkError(error) || isNetworkError(Object(error).cause);
}
