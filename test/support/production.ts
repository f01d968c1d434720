import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { env } from "#platform/env.server.ts";
import { findFreePort } from "#platform/ports.server.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { makeDataFolder } from "./data-folder.ts";
import { FakeProvider } from "./fake-provider.ts";
import { startServer } from "./server-process.ts";
import { startTlsProxy } from "./tls-proxy.ts";
import { makeTwoRoleDatabase } from "./two-roles.ts";

export const ADMIN = { email: "admin@furlong.example", password: "the admin's own words" };

/** The services that a production installation needs, all on this machine. */
export type ProductionServices = {
  /** Environment variables of the installation, without PORT. */
  variables: Record<string, string> & { DATA_DIR: string };
  provider: FakeProvider;
  /** The raw messages that the mail server has accepted. */
  emails: string[];
  stop(): Promise<void>;
};

/**
 * Starts a database with the two documented roles, a fake payment provider, and a mail server with
 * authentication.
 */
export async function startProductionServices(): Promise<ProductionServices> {
  const { dataDir, remove } = await makeDataFolder();
  const postgres = await startEmbeddedPostgres({ dataDir });
  const { applicationUrl, ownerUrl } = await makeTwoRoleDatabase(postgres.superuserUrl);
  const provider = await FakeProvider.start();
  const emails: string[] = [];
  const mailServer = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === "furlong" && password === "mail-password"
        ? done(null, { user: username })
        : done(new Error("Authentication failed")),
    onData: (stream, _session, done) => {
      void text(stream).then((email) => {
        emails.push(email);
        done();
      });
    },
  });
  await new Promise<void>((done) => mailServer.listen(0, "127.0.0.1", done));
  const { port: mailPort } = mailServer.server.address() as AddressInfo;
  return {
    provider,
    emails,
    variables: {
      APP_ENV: "production",
      DATA_DIR: dataDir,
      DATABASE_URL: applicationUrl,
      MIGRATION_DATABASE_URL: ownerUrl,
      AUTH_SECRET: randomBytes(32).toString("base64url"),
      STRIPE_SECRET_KEY: "sk_live_production",
      // The secret that the tests use to sign webhooks.
      STRIPE_WEBHOOK_SECRET: env().stripe.webhookSecret,
      STRIPE_API_BASE: provider.url,
      SMTP_URL: `smtp://furlong:mail-password@127.0.0.1:${mailPort}`,
      MAIL_FROM: "Furlong <tips@furlong.example>",
      COMPANY_NAME: "Furlong Tips (Pty) Ltd",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      TRUSTED_PROXY: "127.0.0.1",
    },
    async stop() {
      await provider.stop();
      await new Promise<void>((done) => mailServer.close(done));
      await postgres.stopUnlessInUse();
      await remove();
    },
  };
}

/** Starts the built application in production behind a proxy that terminates TLS. */
export async function startProduction(
  { variables }: ProductionServices,
  certificate: { cert: string; key: string },
): Promise<{ url: string; output(): string; stop(): Promise<void> }> {
  const [port, upstream] = [await findFreePort(), await findFreePort()];
  const proxy = await startTlsProxy({ certificate, upstream, port });
  try {
    const server = await startServer({
      ...variables,
      APP_URL: proxy.url,
      PORT: String(upstream),
    });
    return {
      url: proxy.url,
      output: server.output,
      async stop() {
        await server.stop();
        await proxy.stop();
      },
    };
  } catch (error) {
    await proxy.stop();
    throw error;
  }
}
