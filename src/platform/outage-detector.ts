import { GatewayError } from "./gateway-error.ts";

/** Number of consecutive provider failures that count as an outage: further calls would fail as well. */
const OUTAGE_THRESHOLD = 3;

/** Distinguishes one failing request from an outage of the provider. */
export function createOutageDetector() {
  let consecutiveFailures = 0;
  return {
    recordResult(error: unknown) {
      consecutiveFailures = isOutage(error) ? consecutiveFailures + 1 : 0;
    },
    get isDetected() {
      return consecutiveFailures >= OUTAGE_THRESHOLD;
    },
  };
}

/** Returns whether a request failed without an answer about it. */
export function isOutage(error: unknown): boolean {
  return error instanceof GatewayError && error.problem !== "refused";
}
