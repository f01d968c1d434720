import { describe, expect, it } from "vitest";
import { readWishes, replayOf } from "./options.ts";

const NAMES = ["one-wallet", "one-card"];

describe("the arguments of a run", () => {
  it("are all trials in full, with a seed drawn for it, when there are none", () => {
    const read = readWishes([], NAMES);
    expect(read).toMatchObject({ ok: true, wishes: { quick: false, only: null, broken: false } });
    expect(read.ok && Number.isInteger(read.wishes.seed)).toBe(true);
  });

  it("name one trial and its seed, to run it again as it was", () => {
    expect(readWishes(["--quick", "--only", "one-card", "--seed", "7"], NAMES)).toEqual({
      ok: true,
      wishes: { quick: true, only: "one-card", seed: 7, broken: false },
    });
  });

  it("name one trial to be broken", () => {
    expect(readWishes(["--break", "one-card", "--seed", "7"], NAMES)).toMatchObject({
      ok: true,
      wishes: { only: "one-card", broken: true },
    });
  });

  it.each([[["--only", "nothing"]], [["--seed", "x"]], [["--loud"]]])(
    "are refused where they cannot be meant: %j",
    (args) => {
      expect(readWishes(args, NAMES).ok).toBe(false);
    },
  );

  it("come back from the command that a failed trial prints", () => {
    const wishes = { quick: true, only: "one-card", seed: 12, broken: true };
    const [, args = ""] = replayOf("one-card", wishes).split(" -- ");
    expect(readWishes(args.split(" "), NAMES)).toEqual({ ok: true, wishes });
  });
});
