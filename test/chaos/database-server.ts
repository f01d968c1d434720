import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, Pool } from "pg";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "#platform/postgres/embedded-postgres.server.ts";
import { makeDataFolder } from "#test/data-folder.ts";

/**
 * An embedded PostgreSQL for the run, with one migrated template database that environments copy.
 */
export class DatabaseServer {
  readonly dataDir: string;
  #remove: () => Promise<void>;
  #postgres: EmbeddedPostgres;
  #copies = 0;

  private constructor(dataDir: string, remove: () => Promise<void>, postgres: EmbeddedPostgres) {
    this.dataDir = dataDir;
    this.#remove = remove;
    this.#postgres = postgres;
  }

  static async start(): Promise<DatabaseServer> {
    const { dataDir, remove } = await makeDataFolder();
    return new DatabaseServer(dataDir, remove, await startEmbeddedPostgres({ dataDir }));
  }

  /** The URL of the template database. No connection to it may stay open while it is copied. */
  get templateUrl(): string {
    return this.#postgres.url;
  }

  /** Returns the superuser URL of a database. */
  getSuperuserUrl(database: string): string {
    const url = new URL(this.#postgres.superuserUrl);
    url.pathname = `/${database}`;
    return url.href;
  }

  /** Copies the template database. */
  async copy(): Promise<{ name: string; url: string }> {
    this.#copies += 1;
    const name = `chaos_${this.#copies}`;
    const template = new URL(this.templateUrl);
    const admin = await connectClient(this.#postgres.superuserUrl);
    await admin.query(
      `create database ${name} template ${template.pathname.slice(1)} owner ${template.username}`,
    );
    await admin.end();
    template.pathname = `/${name}`;
    return { name, url: template.href };
  }

  /** PostgreSQL's data directory. */
  get cluster(): string {
    return this.#postgres.cluster;
  }

  get port(): number {
    return this.#postgres.port;
  }

  /** Shuts the server down cleanly. */
  async stop(): Promise<void> {
    await this.#postgres.stop();
  }

  /** Kills the server with SIGKILL, as the out-of-memory killer does. */
  kill(): void {
    const file = join(this.cluster, "postmaster.pid");
    if (existsSync(file))
      process.kill(Number(readFileSync(file, "utf8").split("\n")[0]), "SIGKILL");
  }

  /** Restarts the server on the same port; resolves when it accepts connections. */
  async start(): Promise<void> {
    this.#postgres = await startEmbeddedPostgres({ dataDir: this.dataDir, port: this.port });
  }

  /** Stops the server and deletes its files. */
  async remove(): Promise<void> {
    await this.#remove();
  }
}

/** Connects a client whose lost connection fails only its own queries. */
export async function connectClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Creates a small pool whose lost connections fail only their own queries. */
export function createPool(url: string): Pool {
  // Keeps idle connections open, because some scenarios exhaust the connections of the server.
  const pool = new Pool({ connectionString: url, max: 2, idleTimeoutMillis: 0 });
  pool.on("error", () => {});
  return pool;
}
