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
