import { createContext, useContext } from "react";

type Balance = {
  /** What the viewer holds, as last heard; null for a guest. */
  coins: number | null;
  /** Shows a balance that the server has just told, before the page is read anew. */
  tell: (coins: number) => void;
};

export const BalanceContext = createContext<Balance>({ coins: null, tell: () => {} });

/** The viewer's coins as the navigation shows them. */
export function useBalance(): Balance {
  return useContext(BalanceContext);
}
