import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { toScriptString } from "./script-string.ts";

it.each(['say "4 coins"', '\\"', "\\", "it's", "\n\t", "</script><!--", "\u2028 & \u2029"])(
  "writes %j as a string that a script reads back and no HTML parser sees",
  (text) => {
    const literal = toScriptString(text);
    expect(runInNewContext(literal)).toBe(text);
    expect(literal).not.toMatch(/[<>&\u2028\u2029]/);
  },
);
