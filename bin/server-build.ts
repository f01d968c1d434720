import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ShutdownKind } from "#platform/shutdown.server.ts";

/** The exports of the server build. */
export type ServerBuild = {
  /** Migrates the database and creates the first admin and the demo data. */
  prepare(log?: (line: string) => void): Promise<void>;
  serve(options: {
    port: number;
    host: string;
    runsJobs: boolean;
  }): Promise<{ stop(kind: ShutdownKind): Promise<void> }>;
};

/** Imports the server build. */
export function importServerBuild(): Promise<ServerBuild> {
  return import(pathToFileURL(resolve("build/server/index.js")).href);
}
