/**
 * Why a call failed. "unavailable": nothing happened, and a retry may succeed. "refused": the provider rejects
 * this request; others may succeed. "unknown-outcome": the answer to a write was lost, so it may have happened.
 */
export type GatewayProblem = "unavailable" | "refused" | "unknown-outcome";

/** Thrown when the provider cannot be reached or rejects a request. */
export class GatewayError extends Error {
  readonly problem: GatewayProblem;

  constructor(message: string, { problem, cause }: { problem: GatewayProblem; cause?: unknown }) {
    super(message, { cause });
    this.problem = problem;
  }
}
