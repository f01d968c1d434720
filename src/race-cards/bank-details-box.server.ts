import { seal, unseal } from "#platform/seal.server.ts";
import type { BankDetails } from "./bank-details.input.ts";

const PURPOSE = "bank details";

/** Bank details as the table holds them: of no use to whoever reads or moves the row. */
export function sealBankDetails(creatorId: string, details: BankDetails): string {
  return seal(JSON.stringify(details), { purpose: PURPOSE, owner: creatorId });
}

export function unsealBankDetails(creatorId: string, sealed: string): BankDetails {
  return JSON.parse(unseal(sealed, { purpose: PURPOSE, owner: creatorId })) as BankDetails;
}
