/** The fields of the second entry of a result. */
export const ENTRY_FIELDS = [
  "status",
  "order",
  "nonRunners",
  "off",
  "surface",
  "starters",
  "placesPaid",
] as const;
export type EntryField = (typeof ENTRY_FIELDS)[number];
