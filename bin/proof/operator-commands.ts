import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { closeDatabase } from "#platform/database.server.ts";
import {
  type BeginNextLogResult,
  beginNextLog,
  type ConfirmLogResult,
  confirmLog,
  type RotateKeyResult,
  rotateKey,
} from "#proof/proof.server.ts";
import { readEnvOrExit } from "../command-environment.ts";
import { printError } from "../print-error.ts";
import { withDatabase } from "../with-database.ts";

// The commands with which the operator continues the public log (docs/proof.md). They need the database, and the
// owner's role in it, because the application's cannot change the log.

type Refusal<Result> =
  Extract<Result, { ok: false }> extends { refusal: infer Name extends string } ? Name : never;

const NO_LOG = "This database has no log.";
const STAYS_STOPPED = "The log stays stopped.";

const CONFIRM_REFUSALS: Record<Refusal<ConfirmLogResult>, string> = {
  "no-log": NO_LOG,
  "not-stopped": "The log is not stopped. Nothing to confirm.",
  unreadable: "This is not a checkpoint: three lines with origin, size and root, then signatures.",
  "other-log": "This is a checkpoint of another log.",
  behind: `The log has fewer entries than the checkpoint. Begin the next one: proof new-log. ${STAYS_STOPPED}`,
  different: `The log has other entries than the checkpoint. Begin the next one: proof new-log. ${STAYS_STOPPED}`,
  kept: `DATA_DIR/proof/log/checkpoint has more entries, or other ones. Begin the next log: proof new-log. ${STAYS_STOPPED}`,
};

const ROTATE_REFUSALS: Record<Refusal<RotateKeyResult>, string> = {
  "no-log": NO_LOG,
  stopped: "The log is stopped. Confirm it first.",
};

const NEW_LOG_REFUSALS: Record<Refusal<BeginNextLogResult>, string> = {
  "no-log": NO_LOG,
  healthy: "The log is not stopped and its key can be read. Another log is not needed.",
  unreadable: CONFIRM_REFUSALS.unreadable,
  "other-log": CONFIRM_REFUSALS["other-log"],
};

type Command = {
  usage: string;
  /** Returns what to do with the arguments, or null if they are wrong. */
  parse(args: string[]): (() => Promise<{ ok: boolean; message: string }>) | null;
};

const COMMANDS: Record<string, Command> = {
  confirm: {
    usage: `proof confirm FILE    (the newest checkpoint that anybody outside has)
       node bin/furlong.mjs proof confirm --none  (nobody outside has a checkpoint)`,
    parse(args) {
      const { positionals, values } = parse(args, { none: { type: "boolean" } });
      if (positionals.length !== (values.none ? 0 : 1)) return null;
      const [file] = positionals;
      return async () => {
        const result = await confirmLog(file === undefined ? null : readFileSync(file, "utf8"));
        return result.ok
          ? { ok: true, message: `The log resumes after ${result.size} entries.` }
          : { ok: false, message: CONFIRM_REFUSALS[result.refusal] };
      };
    },
  },
  "rotate-key": {
    usage: "proof rotate-key --reason TEXT [--stolen]",
    parse(args) {
      const options = { reason: { type: "string" }, stolen: { type: "boolean" } } as const;
      const { positionals, values } = parse(args, options);
      const reason = typeof values.reason === "string" ? values.reason.trim() : "";
      if (positionals.length > 0 || reason === "") return null;
      return async () => {
        const result = await rotateKey({ reason, isStolen: values.stolen === true });
        return result.ok
          ? { ok: true, message: `${result.verifierKey} signs from size ${result.fromSize} on.` }
          : { ok: false, message: ROTATE_REFUSALS[result.refusal] };
      };
    },
  },
  "new-log": {
    usage: `proof new-log --reason TEXT [--checkpoint FILE] --yes
       Closes the log for ever and begins the next one. Only if it cannot be confirmed.`,
    parse(args) {
      const { positionals, values } = parse(args, {
        reason: { type: "string" },
        checkpoint: { type: "string" },
        yes: { type: "boolean" },
      });
      const reason = typeof values.reason === "string" ? values.reason.trim() : "";
      if (positionals.length > 0 || reason === "" || !values.yes) return null;
      const file = typeof values.checkpoint === "string" ? values.checkpoint : null;
      return async () => {
        const checkpoint = file === null ? null : readFileSync(file, "utf8");
        const result = await beginNextLog({ reason, checkpoint });
        if (!result.ok) return { ok: false, message: NEW_LOG_REFUSALS[result.refusal] };
        const { origin, closedOrigin, lastKnownSize, lostEntries } = result;
        return {
          ok: true,
          message: `Closed ${closedOrigin} (last known size ${lastKnownSize}, entries lost: ${lostEntries}). ${origin} begins.`,
        };
      };
    },
  },
};

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>;

function parse(args: string[], options: Options) {
  return parseArgs({ args, options, allowPositionals: true });
}

/** Runs a command. Returns the exit code: 0, 1 if it is refused or fails, 2 if the arguments are wrong. */
export async function runOperatorCommand(name: string, args: string[]): Promise<number> {
  const command = COMMANDS[name];
  if (!command) throw new Error(`Unknown command: proof ${name}`);
  let run: ReturnType<Command["parse"]> = null;
  try {
    run = command.parse(args);
  } catch (error) {
    printError(error); // an option that does not exist
  }
  if (!run) {
    console.error(`Usage: node bin/furlong.mjs ${command.usage}`);
    return 2;
  }
  try {
    const { migrationDatabaseUrl } = readEnvOrExit();
    if (migrationDatabaseUrl) process.env.DATABASE_URL = migrationDatabaseUrl;
    const work = run;
    const { ok, message } = await withDatabase(() => work().finally(closeDatabase));
    console.log(message);
    return ok ? 0 : 1;
  } catch (error) {
    printError(error);
    return 1;
  }
}
