// Public interface of wallet: coins and debts in the append-only ledger.
export {
  findTransactions,
  type LedgerTransaction,
  type Posting,
  postToLedger,
  readGrantedCoins,
  readPayableCents,
  readRepaidCoins,
  readStatement,
  type StatementLine,
} from "./ledger.server.ts";
export {
  CREATOR_SHARE,
  changePrice,
  findFirstChangeDate,
  listPriceChanges,
  PRICE_SUBJECTS,
  readPrices,
  readSaleTerms,
} from "./prices.server.ts";
export {
  deleteUnusedWallet,
  hasNoPostings,
  lockWallet,
  markGuestDeal,
  openWallet,
  readWallet,
  setWalletFrozen,
  type Wallet,
} from "./wallets.server.ts";
