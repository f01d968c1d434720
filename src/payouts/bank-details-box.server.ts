import { seal, unseal } from "#platform/seal.server.ts";
import type { BankDetails } from "./bank-details.input.ts";

const PURPOSE = "bank details";
const EXPORTED = "exported bank details";

/** Bank details as the table holds them: of no use to whoever reads or moves the row. */
export function sealBankDetails(creatorId: string, details: BankDetails): string {
  return seal(JSON.stringify(details), { purpose: PURPOSE, owner: creatorId });
}

export function unsealBankDetails(creatorId: string, sealed: string): BankDetails {
  return JSON.parse(unseal(sealed, { purpose: PURPOSE, owner: creatorId })) as BankDetails;
}

/** Encrypts the account details that a payment file names, for the line of that payout alone. */
export function sealExportedDetails(payoutId: string, details: BankDetails): string {
  return seal(JSON.stringify(details), { purpose: EXPORTED, owner: payoutId });
}

/** Decrypts what `sealExportedDetails` encrypted. Throws where it belongs to another payout. */
export function unsealExportedDetails(payoutId: string, sealed: string): BankDetails {
  return JSON.parse(unseal(sealed, { purpose: EXPORTED, owner: payoutId })) as BankDetails;
}
