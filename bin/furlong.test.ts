import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const LAUNCHER = "bin/furlong.mjs";

function launch(...args: string[]) {
  // Without the settings of the tests, and without a key.
  const { PATH, HOME } = process.env;
  return spawnSync(process.execPath, [LAUNCHER, ...args], {
    encoding: "utf8",
    env: { PATH, HOME },
  });
}

function listCommands(usage: string): string[] {
  return [...usage.matchAll(/^ {2}([\w:-]+) /gm)].map(([, name = ""]) => name);
}

describe("the launcher", () => {
  it("prints the list of commands and exits 2 for an unknown command", () => {
    const { status, stdout, stderr } = launch("strat");
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain("Unknown command: strat");
    expect(listCommands(stderr)).toEqual(expect.arrayContaining(["start", "test", "books"]));
  });

  it("exits 2 for the name of an inherited object property", () => {
    expect(launch("toString").status).toBe(2);
  });

  it("prints the list of commands and exits 2 without a command", () => {
    const { status, stderr } = launch();
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Usage: /);
  });

  it("prints the list of commands and exits 0 for --help", () => {
    const { status, stdout } = launch("--help");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Usage: /);
  });

  it("has a command for every npm script", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const commands = listCommands(launch("--help").stdout);
    for (const [name, line] of Object.entries<string>(scripts))
      for (const [, command] of line.matchAll(/bin\/furlong\.mjs ([\w:-]+)/g))
        expect(commands, `npm run ${name}`).toContain(command);
    expect(scripts.torture).toBe(scripts.chaos);
  });

  it("names only scripts that exist", () => {
    const scripts = readFileSync(LAUNCHER, "utf8").match(/"[a-z0-9/-]+\/[a-z-]+\.ts"/g) ?? [];
    expect(scripts.length).toBeGreaterThan(10);
    for (const script of scripts) expect(existsSync(JSON.parse(script)), script).toBe(true);
  });

  it("checks no payment provider without a key", () => {
    const { status, stdout, stderr } = launch("payments:check");
    expect(stderr).toBe("");
    expect(stdout).toContain("No payment provider has a key: the demo's fake needs no check.");
    expect(status).toBe(0);
  });

  it("refuses to import a file that is not a race day", () => {
    const { status, stderr } = launch("import-race-day", "public/icon-192.png");
    expect(stderr).toContain("Nothing was imported.");
    expect(status).toBe(1);
  });
});
