import { randomBytes } from "node:crypto";

/** An id as the provider makes them: a kind, and something nobody guesses. */
export function makeId(kind: "cs_test" | "pi" | "evt"): string {
  return `${kind}_${randomBytes(18).toString("hex")}`;
}
