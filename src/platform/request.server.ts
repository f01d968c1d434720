import { createContext, type RouterContextProvider } from "react-router";

/** What is known of a request before anyone asks who sent it. */
export type RequestFacts = {
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

const requestFacts = createContext<RequestFacts>();

/** What the server knows of this request. */
export function factsOf(context: Readonly<RouterContextProvider>): RequestFacts {
  return context.get(requestFacts);
}

/** Hands the facts to the pages; the server does so once for each request. */
export function setFacts(context: RouterContextProvider, facts: RequestFacts): void {
  context.set(requestFacts, facts);
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
