import type { Mutant } from "./mutant.ts";
import { PAYMENTS_MUTANTS } from "./payments-mutants.ts";
import { PAYOUTS_MUTANTS } from "./payouts-mutants.ts";
import { PLATFORM_MUTANTS } from "./platform-mutants.ts";
import { PROOF_MUTANTS } from "./proof-mutants.ts";
import { RACING_MUTANTS } from "./racing-mutants.ts";
import { SALES_MUTANTS } from "./sales-mutants.ts";
import { TIPS_MUTANTS } from "./tips-mutants.ts";
import { WALLET_MUTANTS } from "./wallet-mutants.ts";

/** All mutants of the money and track record code. */
export const MUTANTS: Mutant[] = [
  ...WALLET_MUTANTS,
  ...SALES_MUTANTS,
  ...PAYMENTS_MUTANTS,
  ...PAYOUTS_MUTANTS,
  ...RACING_MUTANTS,
  ...TIPS_MUTANTS,
  ...PROOF_MUTANTS,
  ...PLATFORM_MUTANTS,
];
