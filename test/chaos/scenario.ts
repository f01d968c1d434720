import type { Pool } from "pg";
import type { Random } from "#demo/random.ts";
import type { Provider } from "#test/fake-provider.ts";
import type { Records } from "./database-server.ts";
import type { Web } from "./product-server.ts";

/** Where a trial takes place: the product as it is served, its database and its payment provider. */
export type Arena = {
  quick: boolean;
  /** The trial's own part of the seed. */
  dice: Random;
  /** The trial's way of breaking the product was applied. */
  broken: boolean;
  records: Records;
  /** The name and address of this arena's database. */
  database: { name: string; url: string };
  /** Connections of the superuser's that stay out of the product's way. */
  db: Pool;
  web: Web;
  provider: Provider;
  /** What the web processes of this arena were started with. */
  environment: NodeJS.ProcessEnv;
};

export type Outcome = {
  /** What was done, with numbers. */
  did: string;
  /** What came of it. */
  figure: string;
  /** What should not be; empty when the trial held. */
  problems: string[];
  /** Why nothing was tried here; then it counts neither way. */
  skipped?: string;
};

/** One thing that the product has to survive. */
export type Trial = {
  name: string;
  /** Not part of the quick run. */
  fullOnly?: boolean;
  /** It needs a database server that nobody else uses meanwhile, or leaves it otherwise than it was. */
  alone?: boolean;
  /** Breaks what the trial holds the product to, in this arena alone. */
  breakIt(arena: Arena): Promise<void>;
  run(arena: Arena): Promise<Outcome>;
};

/** Puts a problem on the list unless something is as expected. */
export function expectThat(problems: string[], isSo: boolean, problem: string): void {
  if (!isSo) problems.push(problem);
}
