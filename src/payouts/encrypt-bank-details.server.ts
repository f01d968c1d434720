import { decrypt, encrypt } from "#platform/encrypt.server.ts";
import type { BankDetails } from "./bank-details.input.ts";

const PURPOSE = "bank details";
const EXPORT_PURPOSE = "exported bank details";

/** Encrypts bank details for storage. Cannot be decrypted for another creator. */
export function encryptBankDetails(creatorId: string, details: BankDetails): string {
  return encrypt(JSON.stringify(details), { purpose: PURPOSE, owner: creatorId });
}

export function decryptBankDetails(creatorId: string, encryptedDetails: string): BankDetails {
  return JSON.parse(
    decrypt(encryptedDetails, { purpose: PURPOSE, owner: creatorId }),
  ) as BankDetails;
}

/** Returns null for bank details that can no longer be decrypted. */
export function tryDecryptBankDetails(
  creatorId: string,
  encryptedDetails: string,
): BankDetails | null {
  try {
    return decryptBankDetails(creatorId, encryptedDetails);
  } catch {
    return null;
  }
}

/** Encrypts the bank details of a payment. Cannot be decrypted for another payout. */
export function encryptExportedDetails(payoutId: string, details: BankDetails): string {
  return encrypt(JSON.stringify(details), { purpose: EXPORT_PURPOSE, owner: payoutId });
}

/** Decrypts the bank details of a payment. Throws when they belong to another payout. */
export function decryptExportedDetails(payoutId: string, encryptedDetails: string): BankDetails {
  return JSON.parse(
    decrypt(encryptedDetails, { purpose: EXPORT_PURPOSE, owner: payoutId }),
  ) as BankDetails;
}
