import { randomBytes } from "node:crypto";

/** Returns a random id in the provider's format: a prefix for the kind, and hex digits. */
export function makeId(kind: "cs_test" | "pi" | "evt"): string {
  return `${kind}_${randomBytes(18).toString("hex")}`;
}
