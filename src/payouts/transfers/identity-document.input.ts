import * as v from "valibot";

/** The documents by which a bank knows the holder of an account. */
export const DOCUMENT_LABELS = {
  identityNumber: "South African ID",
  passportNumber: "Passport",
  businessRegistrationNumber: "Company registration",
} as const;
const DOCUMENT_TYPES = Object.keys(DOCUMENT_LABELS) as (keyof typeof DOCUMENT_LABELS)[];

const DOCUMENT_NUMBER_MESSAGE = "Document number must have 5 to 20 letters and digits";

/** The document that the bank compares with the account. It is used once and not stored. */
export const identityDocumentInput = v.object(
  {
    documentType: v.picklist(DOCUMENT_TYPES, "Please choose a document"),
    documentNumber: v.pipe(
      v.string("Please enter the document number"),
      v.trim(),
      v.nonEmpty("Please enter the document number"),
      v.regex(/^[A-Za-z0-9/ -]{5,20}$/, DOCUMENT_NUMBER_MESSAGE),
    ),
  },
  // For a field that is missing.
  "Please choose a document and enter its number",
);

export type IdentityDocument = v.InferOutput<typeof identityDocumentInput>;
