// Public interface of wallet: coins and debts in the append-only ledger.
export { findTransactions, type LedgerTransaction } from "./find-transactions.server.ts";
export { markGuestDeal } from "./mark-guest-deal.server.ts";
export { openWallet } from "./open-wallet.server.ts";
export { type Posting, postToLedger } from "./post-to-ledger.server.ts";
export {
  CREATOR_SHARE,
  changePrice,
  findFirstChangeDate,
  listPriceChanges,
  PRICE_SUBJECTS,
  readPrices,
  readSaleTerms,
} from "./prices.server.ts";
export { readPayableCents } from "./read-payable.server.ts";
export { readStatement, type StatementLine } from "./read-statement.server.ts";
export { lockWallet, readWallet, type Wallet } from "./read-wallet.server.ts";
export { setWalletFrozen } from "./set-wallet-frozen.server.ts";
export { deleteUnusedWallet, hasNoPostings } from "./unused-wallet.server.ts";
