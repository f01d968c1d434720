import type { Fault } from "./fault.ts";
import { PAYMENTS_FAULTS } from "./payments-faults.ts";
import { PAYOUTS_FAULTS } from "./payouts-faults.ts";
import { PLATFORM_FAULTS } from "./platform-faults.ts";
import { SALES_FAULTS } from "./sales-faults.ts";
import { TIPS_FAULTS } from "./tips-faults.ts";
import { WALLET_FAULTS } from "./wallet-faults.ts";

/** Every planted fault in money and track record code. */
export const FAULTS: Fault[] = [
  ...WALLET_FAULTS,
  ...SALES_FAULTS,
  ...PAYMENTS_FAULTS,
  ...PAYOUTS_FAULTS,
  ...TIPS_FAULTS,
  ...PLATFORM_FAULTS,
];
