import { raiseAlertThrottled } from "./alerts.server.ts";
import { isDatabaseLost } from "./database.server.ts";
import { logFailure } from "./log-failure.server.ts";
import { FAILED_JOBS_ALERT } from "./queue.server.ts";
import { redactError } from "./redact-error.server.ts";

const HOUR_MS = 60 * 60 * 1000;
const MAX_NAMED_ITEMS = 10;

/**
 * Runs the work of a job on each item, one after the other. An item that fails stops no other. Afterwards, raises
 * one alert that names the failed items, and throws, so that the job counts as failed and runs again. Stops at once
 * when the database is lost, because all other items would fail too.
 */
export async function runEach<Item>(
  job: string,
  items: Iterable<Item> | AsyncIterable<Item>,
  nameItem: (item: Item) => string,
  run: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: { name: string; error: unknown }[] = [];
  for await (const item of items)
    try {
      await run(item);
    } catch (error) {
      if (isDatabaseLost(error)) throw error;
      const name = nameItem(item);
      logFailure("warn", { job, item: name, error }, "item of a job failed");
      failures.push({ name, error });
    }
  if (failures.length === 0) return;
  const named = failures
    .slice(0, MAX_NAMED_ITEMS)
    .map(({ name, error }) => `${name} (${describeCause(error)})`);
  const rest = failures.length - named.length;
  const message = `${failures.length} failed: ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  await raiseAlertThrottled(HOUR_MS, {
    kind: FAILED_JOBS_ALERT,
    subject: job,
    message: `"${job}": ${message}. The others were done. These are tried again in the next run.`,
  });
  throw new Error(message, { cause: failures[0]?.error });
}

/** Returns the first line of the innermost cause, without personal data. */
function describeCause(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return redactError(cause).split("\n")[0] ?? "";
}
