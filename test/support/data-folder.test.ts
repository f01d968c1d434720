import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { makeDataFolder } from "./data-folder.ts";

it("deletes the folder of a process that has ended and keeps that of a running one", async () => {
  const running = await makeDataFolder();
  const script = `const { makeDataFolder } = await import("./test/support/data-folder.ts");
    console.log((await makeDataFolder()).dataDir);`;
  const abandonedDir = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  }).trim();
  const folder = await makeDataFolder();
  try {
    expect([abandonedDir, running.dataDir].map(existsSync)).toEqual([false, true]);
  } finally {
    await folder.remove();
    await running.remove();
  }
});
