import { createContext, type RouterContextProvider } from "react-router";
import type { Refusal } from "./refusals.ts";

/** The details of a request that do not depend on the user. */
export type RequestDetails = {
  id: string;
  /** The requested path, without query. */
  path: string;
  /** The client's address: of the socket, or as reported by a trusted proxy. */
  clientAddress: string;
  /** The raw Cookie header. */
  cookies: string | null;
  /** The nonce of this page's inline scripts; null for a page cached for every guest. */
  nonce: string | null;
  /** Why the request is refused before its action runs. */
  refusal?: Refusal;
};

const requestDetails = createContext<RequestDetails>();

/** Returns the details of the current request. */
export function getRequestDetails(context: Readonly<RouterContextProvider>): RequestDetails {
  return context.get(requestDetails);
}

/** Sets the details of a request, once per request. */
export function setRequestDetails(context: RouterContextProvider, details: RequestDetails): void {
  context.set(requestDetails, details);
}

const renderedPage = createContext<Uint8Array<ArrayBuffer> | null>(null);

/**
 * Stores the bytes of a rendered page separately, because a Response body would copy them
 * repeatedly.
 */
export function setRenderedPage(
  context: RouterContextProvider,
  page: Uint8Array<ArrayBuffer>,
): void {
  context.set(renderedPage, page);
}

/** Returns the page rendered for this request; null for a response with its own body. */
export function getRenderedPage(context: RouterContextProvider): Uint8Array<ArrayBuffer> | null {
  return context.get(renderedPage);
}
