import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, Pool } from "pg";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "#platform/postgres/embedded-postgres.server.ts";
import { makeDataFolder } from "#test/data-folder.ts";

/** A PostgreSQL of the run's own, with one prepared database that every arena gets a copy of. */
export class Records {
  readonly dataDir: string;
  #remove: () => Promise<void>;
  #postgres: EmbeddedPostgres;
  #copies = 0;

  private constructor(dataDir: string, remove: () => Promise<void>, postgres: EmbeddedPostgres) {
    this.dataDir = dataDir;
    this.#remove = remove;
    this.#postgres = postgres;
  }

  static async start(): Promise<Records> {
    const { dataDir, remove } = await makeDataFolder();
    return new Records(dataDir, remove, await startEmbeddedPostgres({ dataDir }));
  }

  /** The database that `prepare` fills, and that nobody is connected to afterwards. */
  get templateUrl(): string {
    return this.#postgres.url;
  }

  /** The superuser's way into one of the databases: what breaks on purpose goes this way. */
  adminUrlOf(database: string): string {
    const url = new URL(this.#postgres.adminUrl);
    url.pathname = `/${database}`;
    return url.href;
  }

  /** A copy of the prepared database under a name of its own. */
  async copy(): Promise<{ name: string; url: string }> {
    this.#copies += 1;
    const name = `torture_${this.#copies}`;
    const template = new URL(this.templateUrl);
    const admin = await connect(this.#postgres.adminUrl);
    await admin.query(
      `create database ${name} template ${template.pathname.slice(1)} owner ${template.username}`,
    );
    await admin.end();
    template.pathname = `/${name}`;
    return { name, url: template.href };
  }

  /** PostgreSQL's own data folder. */
  get cluster(): string {
    return this.#postgres.cluster;
  }

  get port(): number {
    return this.#postgres.port;
  }

  /** Shuts the database down as an operator does. */
  async stop(): Promise<void> {
    await this.#postgres.stop();
  }

  /** Ends the database as the machine's lack of memory does. */
  kill(): void {
    const file = join(this.cluster, "postmaster.pid");
    if (existsSync(file))
      process.kill(Number(readFileSync(file, "utf8").split("\n")[0]), "SIGKILL");
  }

  /** Starts the database again, on its port; resolves when it answers. */
  async start(): Promise<void> {
    this.#postgres = await startEmbeddedPostgres({ dataDir: this.dataDir, port: this.port });
  }

  /** Ends the database and takes its files away. */
  async remove(): Promise<void> {
    await this.#remove();
  }
}

/** A connection for one who looks on; that it breaks off ends nothing but its queries. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** The same for several questions at once. */
export function connections(url: string): Pool {
  // They stay, so that none has to be had anew where connections are what is short.
  const pool = new Pool({ connectionString: url, max: 2, idleTimeoutMillis: 0 });
  pool.on("error", () => {});
  return pool;
}
