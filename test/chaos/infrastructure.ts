import { once } from "node:events";
import { SMTPServer } from "smtp-server";
import { runNode } from "#bin/run-node.ts";
import { seededRandom } from "#demo/random.ts";
import { FakeProvider } from "#test/fake-provider.ts";
import { AppServer } from "./app-server.ts";
import { createPool, DatabaseServer } from "./database-server.ts";
import type { Environment } from "./scenario.ts";
import { AUTH_SECRET } from "./users.ts";

/**
 * Shared by all scenarios of a run: the database server, the payment provider and a mail server.
 */
export class Infrastructure {
  readonly #databaseServer: DatabaseServer;
  readonly #provider: FakeProvider;
  readonly #mailServer: SMTPServer;
  readonly #processEnv: NodeJS.ProcessEnv;

  private constructor(
    databaseServer: DatabaseServer,
    provider: FakeProvider,
    mailServer: SMTPServer,
  ) {
    this.#databaseServer = databaseServer;
    this.#provider = provider;
    this.#mailServer = mailServer;
    const address = mailServer.server.address();
    const mailPort = typeof address === "object" ? address?.port : 0;
    this.#processEnv = {
      ...removeConfigurationVariables(),
      APP_ENV: "production",
      APP_URL: "https://furlong.test",
      AUTH_SECRET,
      STRIPE_SECRET_KEY: "sk_live_chaos",
      STRIPE_WEBHOOK_SECRET: "whsec_chaos_chaos",
      DATABASE_URL: databaseServer.templateUrl,
      STRIPE_API_BASE: provider.url,
      SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
      MAIL_FROM: "tips@furlong.test",
      COMPANY_NAME: "Furlong",
      ADMIN_EMAIL: "admin@chaos.test",
      ADMIN_PASSWORD: "a password for chaos tests",
      TRUSTED_PROXY: "127.0.0.1",
      DATA_DIR: databaseServer.dataDir,
    };
    // This process signs webhooks with the same secret.
    Object.assign(process.env, this.#processEnv);
  }

  /** Starts the servers and migrates the template database that environments are copied from. */
  static async start(): Promise<Infrastructure> {
    const [databaseServer, provider] = await Promise.all([
      DatabaseServer.start(),
      FakeProvider.start(),
    ]);
    const mailServer = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onData(stream, _session, callback) {
        stream.resume().on("end", () => callback());
      },
    });
    mailServer.on("error", () => {}); // a killed client drops its connection
    mailServer.listen(0, "127.0.0.1");
    await once(mailServer.server, "listening");
    const infrastructure = new Infrastructure(databaseServer, provider, mailServer);
    const { code, output } = await runNode(["bin/prepare.ts"], {
      env: { ...infrastructure.#processEnv, NODE_ENV: "production" },
      quiet: true,
    });
    if (code !== 0) throw new Error(`The database is not ready:\n${output}`);
    return infrastructure;
  }

  /** Copies the template database and starts the application's web processes on it. */
  async createEnvironment(options: { quick: boolean }): Promise<Environment> {
    const database = await this.#databaseServer.copy();
    const processEnv = { ...this.#processEnv, DATABASE_URL: database.url, WEB_PROCESSES: "2" };
    const db = createPool(this.#databaseServer.getSuperuserUrl(database.name));
    const web = await AppServer.start(processEnv);
    this.#provider.isBroken = false;
    return {
      ...options,
      random: seededRandom(0),
      isFaultInjected: false,
      databaseServer: this.#databaseServer,
      database,
      db,
      web,
      provider: this.#provider,
      processEnv,
    };
  }

  async stop(): Promise<void> {
    await Promise.all([
      this.#provider.stop(),
      new Promise<void>((resolve) => this.#mailServer.close(resolve)),
      this.#databaseServer.remove(),
    ]);
  }
}

/** Stops the web processes and closes the pool; the shared servers keep running. */
export async function stopEnvironment(environment: Environment): Promise<void> {
  await environment.web.stop();
  await environment.db.end().catch(() => {});
}

/** Returns this process's variables without those that configure the application. */
function removeConfigurationVariables(): NodeJS.ProcessEnv {
  const configurationVariables =
    /^(PORT|HOST|DATABASE_URL|MIGRATION_DATABASE_URL|DATA_DIR|METRICS_TOKEN|WEB_PROCESSES|DEMO_PUBLIC|(STRIPE|COMPANY|ADMIN|SMTP|MAIL|NOTIFICATION|SUPPORT)_.*)$/;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !configurationVariables.test(name)),
  );
}
