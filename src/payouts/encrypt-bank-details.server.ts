import { decrypt, encrypt } from "#platform/encrypt.server.ts";
import type { BankDetails } from "./bank-details.input.ts";

const PURPOSE = "bank details";
const EXPORTED = "exported bank details";

/** Bank details as the table holds them: of no use to whoever reads or moves the row. */
export function encryptBankDetails(creatorId: string, details: BankDetails): string {
  return encrypt(JSON.stringify(details), { purpose: PURPOSE, owner: creatorId });
}

export function decryptBankDetails(creatorId: string, encryptedDetails: string): BankDetails {
  return JSON.parse(
    decrypt(encryptedDetails, { purpose: PURPOSE, owner: creatorId }),
  ) as BankDetails;
}

/** Encrypts the account details that a payment file names, for the line of that payout alone. */
export function encryptExportedDetails(payoutId: string, details: BankDetails): string {
  return encrypt(JSON.stringify(details), { purpose: EXPORTED, owner: payoutId });
}

/** Decrypts what `encryptExportedDetails` encrypted. Throws where it belongs to another payout. */
export function decryptExportedDetails(payoutId: string, encryptedDetails: string): BankDetails {
  return JSON.parse(
    decrypt(encryptedDetails, { purpose: EXPORTED, owner: payoutId }),
  ) as BankDetails;
}
