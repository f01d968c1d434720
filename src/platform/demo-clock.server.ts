import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setClockAhead } from "./clock.server.ts";
import type { Env } from "./env.server.ts";

/**
 * Sets the clock of this process to DEMO_NOW, from where it runs on. The first process stores when that was in
 * DATA_DIR, so that other processes and later starts with the same DEMO_NOW continue the same clock. Does nothing
 * without DEMO_NOW.
 */
export function startDemoClock({ demoNow, dataDir }: Pick<Env, "demoNow" | "dataDir">): void {
  if (!demoNow) return;
  const file = join(dataDir, "demo-clock.json");
  const stored = readStart(file);
  const startedAtMs = stored?.demoNow === demoNow.toISOString() ? stored.startedAtMs : Date.now();
  if (startedAtMs !== stored?.startedAtMs) {
    mkdirSync(dataDir, { recursive: true });
    const newFile = `${file}.${process.pid}`;
    writeFileSync(newFile, JSON.stringify({ demoNow: demoNow.toISOString(), startedAtMs }));
    renameSync(newFile, file);
  }
  setClockAhead(demoNow.getTime() - startedAtMs);
}

function readStart(file: string): { demoNow: string; startedAtMs: number } | null {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null; // no process has started the clock yet
  }
}
