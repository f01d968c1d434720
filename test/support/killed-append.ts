// Runs the public log job once and kills this process at one of its steps.
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import pg from "pg";
import { appendToLogJob } from "#proof/proof.server.ts";

/**
 * The step at which the process is killed: a statement or a file, and the moment before or after it. "commit" is
 * the commit of the transaction that appends entries.
 */
const [kind = "", pattern = "", moment = ""] = process.argv.slice(2);

/** Wraps a function so that the process is killed before or after the first call that matches the step. */
function killAt<Args extends unknown[], Result>(
  call: (...args: Args) => Result,
  describeCall: (...args: Args) => string,
) {
  let hasAppended = false;
  return async function (this: unknown, ...args: Args): Promise<Awaited<Result>> {
    const description = describeCall(...args);
    hasAppended ||= description.includes("append_to_proof_log");
    const isAwaited =
      pattern === "commit"
        ? hasAppended && description === "commit"
        : description.includes(pattern);
    if (isAwaited && moment === "before") process.kill(process.pid, "SIGKILL");
    const result = await call.apply(this, args);
    if (isAwaited) process.kill(process.pid, "SIGKILL");
    return result;
  };
}

if (kind === "statement")
  pg.Client.prototype.query = killAt(
    pg.Client.prototype.query as (query: string | { text: string }) => Promise<unknown>,
    (query) => (typeof query === "string" ? query : (query?.text ?? "")),
  ) as typeof pg.Client.prototype.query;
if (kind === "file") {
  fs.rename = killAt(fs.rename, (_from, to) => String(to));
  syncBuiltinESMExports();
}
await appendToLogJob.run({}, { isLast: false });
// Reached only if the step did not happen.
process.exit(3);
