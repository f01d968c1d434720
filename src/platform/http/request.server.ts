import { createContext, type RouterContextProvider } from "react-router";

/** What is known of a request before anyone asks who sent it. */
export type RequestDetails = {
  id: string;
  /** The page that is asked for, without its query. */
  path: string;
  /** The client's address: the socket's, or the trusted proxy's word for it. */
  clientAddress: string;
  /** The Cookie header as it came. */
  cookies: string | null;
  /** For the inline scripts of this one page; null where the page is kept for everybody. */
  nonce: string | null;
};

const requestDetails = createContext<RequestDetails>();

/** What the server knows of this request. */
export function requestDetailsOf(context: Readonly<RouterContextProvider>): RequestDetails {
  return context.get(requestDetails);
}

/** Hands the facts to the pages; the server does so once for each request. */
export function setRequestDetails(context: RouterContextProvider, facts: RequestDetails): void {
  context.set(requestDetails, facts);
}

const renderedPage = createContext<Uint8Array<ArrayBuffer> | null>(null);

/** Keeps a page's bytes beside its answer: in an answer's body they would be copied several times. */
export function setRenderedPage(
  context: RouterContextProvider,
  page: Uint8Array<ArrayBuffer>,
): void {
  context.set(renderedPage, page);
}

/** The page that was rendered for this request; null where the answer is none, or has its own body. */
export function renderedPageOf(context: RouterContextProvider): Uint8Array<ArrayBuffer> | null {
  return context.get(renderedPage);
}
