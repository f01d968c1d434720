import { createContext, useContext } from "react";

// Public interface of the wallet for pages: the balance in the navigation.

type Balance = {
  /** The viewer's coins, or null for a guest. */
  coins: number | null;
  /** Shows the balance from an action's response until the page's data is revalidated. */
  setCoins: (coins: number) => void;
};

export const BalanceContext = createContext<Balance>({ coins: null, setCoins: () => {} });

/** Returns the balance that the navigation shows. */
export function useBalance(): Balance {
  return useContext(BalanceContext);
}
