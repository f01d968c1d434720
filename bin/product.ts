import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ShutdownKind } from "#platform/shutdown.server.ts";

/** The exports of the server build. */
export type Product = {
  /** Migrates the database and creates the first admin and the demo data. */
  prepare(tell?: (line: string) => void): Promise<void>;
  serve(options: {
    port: number;
    host: string;
    runsJobs: boolean;
  }): Promise<{ stop(how: ShutdownKind): Promise<void> }>;
};

/** Imports the server build. */
export function product(): Promise<Product> {
  return import(pathToFileURL(resolve("build/server/index.js")).href);
}
