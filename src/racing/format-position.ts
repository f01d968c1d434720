import type { RunnerOutcome } from "#domain/race-result.ts";
import type { StoredResultRunner } from "./results/read-results.server.ts";

const OUTCOME_LABELS: Readonly<Record<RunnerOutcome, string>> = {
  finished: "Unplaced",
  "did-not-finish": "Did not finish",
  disqualified: "Disqualified",
  "non-runner": "Non-runner",
};

/** Formats a position: '1', '2=' in a dead heat, or the outcome of a horse that did not finish. */
export function formatPosition(
  { position, outcome }: Pick<StoredResultRunner, "position" | "outcome">,
  runners: readonly Pick<StoredResultRunner, "position">[],
): string {
  if (position === null) return OUTCOME_LABELS[outcome];
  const isDeadHeat = runners.filter((each) => each.position === position).length > 1;
  return `${position}${isDeadHeat ? "=" : ""}`;
}
