// Public interface of the wallet for pages: the balance in the navigation.
export { BalanceContext, useBalance } from "./balance.ts";
