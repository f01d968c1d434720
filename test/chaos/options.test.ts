import { describe, expect, it } from "vitest";
import { parseOptions, replayCommand } from "./options.ts";

const NAMES = ["one-wallet", "one-card"];

describe("parseOptions", () => {
  it("selects all scenarios in full with a random seed when there are no arguments", () => {
    const parsed = parseOptions([], NAMES);
    expect(parsed).toMatchObject({
      ok: true,
      options: { quick: false, only: null, isFaultInjected: false },
    });
    expect(parsed.ok && Number.isInteger(parsed.options.seed)).toBe(true);
  });

  it("selects one scenario with its seed", () => {
    expect(parseOptions(["--quick", "--only", "one-card", "--seed", "7"], NAMES)).toEqual({
      ok: true,
      options: { quick: true, only: "one-card", seed: 7, isFaultInjected: false },
    });
  });

  it("selects one scenario with an injected fault for --break", () => {
    expect(parseOptions(["--break", "one-card", "--seed", "7"], NAMES)).toMatchObject({
      ok: true,
      options: { only: "one-card", isFaultInjected: true },
    });
  });

  it.each([[["--only", "nothing"]], [["--seed", "x"]], [["--loud"]]])(
    "refuses invalid arguments: %j",
    (args) => {
      expect(parseOptions(args, NAMES).ok).toBe(false);
    },
  );

  it("parses the command that a failed scenario prints", () => {
    const options = { quick: true, only: "one-card", seed: 12, isFaultInjected: true };
    const [, args = ""] = replayCommand("one-card", options).split(" -- ");
    expect(parseOptions(args.split(" "), NAMES)).toEqual({ ok: true, options });
  });
});
