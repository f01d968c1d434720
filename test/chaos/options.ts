import { parseArgs } from "node:util";

/** The command-line options of a run. */
export type Options = {
  quick: boolean;
  /** Runs only scenarios whose names start with this; null runs all. */
  only: string | null;
  seed: number;
  /** Injects a fault that must make the scenario fail. */
  isFaultInjected: boolean;
};

/** Parses the command-line arguments; `problem` explains in one line why they are invalid. */
export function parseOptions(
  args: string[],
  names: readonly string[],
): { ok: true; options: Options } | { ok: false; problem: string } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        quick: { type: "boolean", default: false },
        only: { type: "string" },
        seed: { type: "string" },
        break: { type: "string" },
      },
    });
    const only = values.break ?? values.only ?? null;
    if (only !== null && !names.some((name) => name.startsWith(only)))
      return {
        ok: false,
        problem: `Unknown scenario ${only}. Scenarios: ${names.join(", ")}.`,
      };
    if (values.seed !== undefined && !/^\d{1,9}$/.test(values.seed))
      return { ok: false, problem: "The seed must be a whole number." };
    const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
    return {
      ok: true,
      options: { quick: values.quick, only, seed, isFaultInjected: values.break !== undefined },
    };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the command that repeats one scenario with the same seed. */
export function replayCommand(name: string, { quick, seed, isFaultInjected }: Options): string {
  const selection = isFaultInjected ? `--break ${name}` : `--only ${name}`;
  return `npm run chaos -- ${quick ? "--quick " : ""}${selection} --seed ${seed}`;
}
