/** The formats of payment files as the operator reads them. */
export const FORMAT_WORDS: Record<string, string> = {
  generic: "CSV with your own columns",
  absa: "Absa Business Integrator Online (CSV)",
  "acb-transfers": "ACB Transfers (CSV)",
  bankserv: "Bankserv ACB (FNB, Nedbank, Capitec)",
  unrecorded: "Not recorded",
};
