import { createContext, type RouterContextProvider } from "react-router";
import type { OpenedTip } from "#sales/sales.server.ts";
import type { HomePreview } from "./read-home-preview.server.ts";

/** Everything except the viewer from which the home page of a user is rendered. */
export type HomeInput = {
  preview: HomePreview;
  wallet: { balanceCoins: number; owedCoins: number };
  opened: Map<string, OpenedTip[]>;
  requestId: string;
};

const homeInput = createContext<HomeInput | null>(null);

/** Returns the input that loaders use instead of reading it; null for an ordinary request. */
export function findHomeInput(context: Readonly<RouterContextProvider>): HomeInput | null {
  return context.get(homeInput);
}

/** Sets the input of the home page, which is then rendered without reading the database. */
export function setHomeInput(context: RouterContextProvider, input: HomeInput): void {
  context.set(homeInput, input);
}
