import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BANNED_TERMS } from "./banned-terms.ts";
import { checkTerminology } from "./terminology.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "furlong-terms-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function writeFixture(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Built from parts, because the check also reads this file. */
const BANNED = ["an", "ew"].join("");

describe("the terminology check", () => {
  it("accepts standard terms", () => {
    writeFixture("src/sales/unlock.server.ts", "/** Returns the refund again. */\n");
    writeFixture("docs/chaos.md", "`npm run torture` still works. I wish you luck.\n");
    expect(checkTerminology(root)).toEqual({ files: 2, findings: [] });
  });

  it("finds a banned word in a comment and names the line", () => {
    writeFixture("src/sales/unlock.server.ts", `const a = 1;\n// Begins ${BANNED}.\n`);
    const { findings } = checkTerminology(root);
    expect(findings).toEqual([`src/sales/unlock.server.ts:2: "${BANNED}": use again`]);
  });

  it.each([
    ["camelCase", `start${BANNED[0]?.toUpperCase()}${BANNED.slice(1)}`],
    ["snake_case", `start_${BANNED}`],
    ["kebab-case", `start-${BANNED}`],
  ])("finds a banned word in %s", (_, name) => {
    writeFixture("db/start.sql", `select ${name}();\n`);
    expect(checkTerminology(root).findings).toHaveLength(1);
  });

  it("finds a banned word in a file name", () => {
    writeFixture(`test/${BANNED}.ts`, "");
    expect(checkTerminology(root).findings).toEqual([`test/${BANNED}.ts: "${BANNED}": use again`]);
  });

  it("has a replacement for every term", () => {
    for (const { instead } of BANNED_TERMS) expect(instead).not.toBe("");
  });
});
