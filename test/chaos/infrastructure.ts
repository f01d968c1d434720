import { once } from "node:events";
import { SMTPServer } from "smtp-server";
import { runNode } from "#bin/run-node.ts";
import { seededRandom } from "#demo/random.ts";
import { Provider } from "#test/fake-provider.ts";
import { connections, Records } from "./database-server.ts";
import { Web } from "./product-server.ts";
import type { Arena } from "./scenario.ts";
import { AUTH_SECRET } from "./users.ts";

/** What stays for a whole run: the database server, the provider, and somewhere for mails to go. */
export class Ground {
  readonly #records: Records;
  readonly #provider: Provider;
  readonly #mails: SMTPServer;
  readonly #environment: NodeJS.ProcessEnv;

  private constructor(records: Records, provider: Provider, mails: SMTPServer) {
    this.#records = records;
    this.#provider = provider;
    this.#mails = mails;
    const address = mails.server.address();
    const mailPort = typeof address === "object" ? address?.port : 0;
    this.#environment = {
      ...withoutProductVariables(),
      APP_ENV: "production",
      APP_URL: "https://furlong.test",
      AUTH_SECRET,
      STRIPE_SECRET_KEY: "sk_live_torture",
      STRIPE_WEBHOOK_SECRET: "whsec_torture_torture",
      DATABASE_URL: records.templateUrl,
      STRIPE_API_BASE: provider.url,
      SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
      MAIL_FROM: "tips@furlong.test",
      COMPANY_NAME: "Furlong",
      ADMIN_EMAIL: "admin@torture.test",
      ADMIN_PASSWORD: "a password of the torture",
      TRUSTED_PROXY: "127.0.0.1",
      DATA_DIR: records.dataDir,
    };
    // By these the run signs as the provider does.
    Object.assign(process.env, this.#environment);
  }

  /** Starts the database server and prepares the database that the arenas are copies of. */
  static async lay(): Promise<Ground> {
    const [records, provider] = await Promise.all([Records.start(), Provider.start()]);
    const mails = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onData(stream, _session, done) {
        stream.resume().on("end", () => done());
      },
    });
    mails.on("error", () => {}); // a client that was killed breaks off
    mails.listen(0, "127.0.0.1");
    await once(mails.server, "listening");
    const ground = new Ground(records, provider, mails);
    const { code, output } = await runNode(["bin/prepare.ts"], {
      env: { ...ground.#environment, NODE_ENV: "production" },
      quiet: true,
    });
    if (code !== 0) throw new Error(`The database is not ready:\n${output}`);
    return ground;
  }

  /** A database of its own with the product's web processes before it. */
  async open(options: { quick: boolean }): Promise<Arena> {
    const database = await this.#records.copy();
    const environment = { ...this.#environment, DATABASE_URL: database.url, WEB_PROCESSES: "2" };
    const db = connections(this.#records.adminUrlOf(database.name));
    const web = await Web.start(environment);
    this.#provider.isBroken = false;
    return {
      ...options,
      dice: seededRandom(0),
      broken: false,
      records: this.#records,
      database,
      db,
      web,
      provider: this.#provider,
      environment,
    };
  }

  async clear(): Promise<void> {
    await Promise.all([
      this.#provider.stop(),
      new Promise<void>((done) => this.#mails.close(done)),
      this.#records.remove(),
    ]);
  }
}

/** The web processes and their database go; the server stays. */
export async function close(arena: Arena): Promise<void> {
  await arena.web.stop();
  await arena.db.end().catch(() => {});
}

/** What configures the product in the shell that runs this is none of the run's. */
function withoutProductVariables(): NodeJS.ProcessEnv {
  const theirs =
    /^(PORT|HOST|DATABASE_URL|MIGRATION_DATABASE_URL|DATA_DIR|METRICS_TOKEN|WEB_PROCESSES|DEMO_PUBLIC|(STRIPE|COMPANY|ADMIN|SMTP|MAIL|NOTIFICATION|SUPPORT)_.*)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !theirs.test(name)));
}
