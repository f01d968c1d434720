import type { Pool } from "pg";
import type { Random } from "#demo/random.ts";
import type { FakeProvider } from "#test/fake-provider.ts";
import type { AppServer } from "./app-server.ts";
import type { DatabaseServer } from "./database-server.ts";

/**
 * Everything one scenario runs against: the running application, its database and its payment provider.
 */
export type Environment = {
  quick: boolean;
  /** Seeded by the run's seed and the scenario's name. */
  random: Random;
  /** True when `injectFault` was called. */
  isFaultInjected: boolean;
  databaseServer: DatabaseServer;
  /** The name and connection URL of this environment's database. */
  database: { name: string; url: string };
  /** A superuser pool outside the application's connection limits. */
  db: Pool;
  web: AppServer;
  provider: FakeProvider;
  /** The environment variables of the web processes. */
  processEnv: NodeJS.ProcessEnv;
};

export type Outcome = {
  /** The work that the scenario did, with counts. */
  description: string;
  /** The measured result. */
  measurement: string;
  /** Failed expectations; empty when the scenario passed. */
  problems: string[];
  /** The reason why this machine cannot run the scenario, which then neither passes nor fails. */
  skipped?: string;
};

/** A fault or load that the application must survive. */
export type Scenario = {
  name: string;
  /** Excluded from the quick run. */
  fullOnly?: boolean;
  /** Needs an environment that no other scenario uses, or leaves it changed. */
  isExclusive?: boolean;
  /** Breaks the property that the scenario checks, in this environment only. */
  injectFault(environment: Environment): Promise<void>;
  run(environment: Environment): Promise<Outcome>;
};

/** Adds a problem to the list unless the condition holds. */
export function expectThat(problems: string[], condition: boolean, problem: string): void {
  if (!condition) problems.push(problem);
}
