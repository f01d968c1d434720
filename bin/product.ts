import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ShutdownKind } from "#platform/shutdown.server.ts";

/** What the built product offers to the processes that run it. */
export type Product = {
  /** Brings the database up to date: migrations, the first admin, the demo's world. */
  prepare(tell?: (line: string) => void): Promise<void>;
  serve(options: {
    port: number;
    host: string;
    runsJobs: boolean;
  }): Promise<{ stop(how: ShutdownKind): Promise<void> }>;
};

/** The product as it was built. */
export function product(): Promise<Product> {
  return import(pathToFileURL(resolve("build/server/index.js")).href);
}
