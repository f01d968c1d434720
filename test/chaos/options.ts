import { parseArgs } from "node:util";

/** What is asked of a run. */
export type Wishes = {
  quick: boolean;
  /** Only the trials whose names begin so; null for all. */
  only: string | null;
  seed: number;
  /** The product is broken on purpose, so that the trial is seen to fail. */
  broken: boolean;
};

/** Reads the arguments of a run, or says in one line what is wrong with them. */
export function readWishes(
  args: string[],
  names: readonly string[],
): { ok: true; wishes: Wishes } | { ok: false; problem: string } {
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
      return { ok: false, problem: `There is no trial ${only}. There are: ${names.join(", ")}.` };
    if (values.seed !== undefined && !/^\d{1,9}$/.test(values.seed))
      return { ok: false, problem: "The seed is a whole number." };
    const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
    return {
      ok: true,
      wishes: { quick: values.quick, only, seed, broken: values.break !== undefined },
    };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The command that runs one trial again as it was run. */
export function replayOf(name: string, { quick, seed, broken }: Wishes): string {
  const which = broken ? `--break ${name}` : `--only ${name}`;
  return `npm run torture -- ${quick ? "--quick " : ""}${which} --seed ${seed}`;
}
