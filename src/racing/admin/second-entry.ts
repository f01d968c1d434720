import { MAX_HORSE_NUMBER } from "#domain/tip.ts";

/** The field with the name of the nth horse of the order, for a race without declared runners. */
export type NameField = `name-${number}`;
const toNameField = (row: number): NameField => `name-${row}`;
/** A row for every horse that can be placed, from 1 on. */
export const NAME_FIELDS = Array.from({ length: MAX_HORSE_NUMBER }, (_, index) =>
  toNameField(index + 1),
);

/** The fields of the second entry of a result. */
export const ENTRY_FIELDS = [
  "status",
  "order",
  "nonRunners",
  "off",
  "surface",
  "starters",
  "placesPaid",
  ...NAME_FIELDS,
] as const;
export type EntryField = (typeof ENTRY_FIELDS)[number];
