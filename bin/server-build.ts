import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ShutdownKind } from "#platform/shutdown.server.ts";

/** Outside `build`, which the build of the application empties. */
export const PREPARATION_FOLDER = ".cache/preparation";

type Preparation = {
  /** Migrates the database and creates the first admin and the demo data. */
  prepare(log?: (line: string) => void): Promise<void>;
};
type ServerBuild = {
  serve(options: {
    port: number;
    host: string;
    runsJobs: boolean;
  }): Promise<{ stop(kind: ShutdownKind): Promise<void> }>;
};

export function importPreparation(): Promise<Preparation> {
  return importFile(`${PREPARATION_FOLDER}/index.js`);
}

export function importServerBuild(): Promise<ServerBuild> {
  return importFile("build/server/index.js");
}

function importFile<Exports>(path: string): Promise<Exports> {
  return import(pathToFileURL(resolve(path)).href);
}
