import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FullConfig } from "@playwright/test";
import { findFreePort } from "#platform/ports.server.ts";
import { copyDemoFolder, createDemoFolder } from "#test/demo-folder.ts";
import { makeCertificate } from "#test/self-signed-certificate.ts";
import { startServer } from "#test/server-process.ts";
import { startTlsProxy } from "#test/tls-proxy.ts";
import { setClockOffset } from "./clock.ts";

/**
 * Starts one server for each project of the run, as `npm start` does, with its own copy of the
 * demo's data: plain HTTP for most tests, and one behind a proxy that terminates TLS, as in
 * production.
 */
export default async function globalSetup(config: FullConfig) {
  const cleanups: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const cleanUp of cleanups.reverse()) await cleanUp();
  };
  const projectNames = config.projects.map(({ name }) => name);
  try {
    if (!process.env.DEMO_FOLDER) {
      const { dataDir, remove } = await createDemoFolder();
      cleanups.push(remove);
      process.env.DEMO_FOLDER = dataDir;
    }
    await Promise.all([
      ...(projectNames.includes("plain") ? [startHttpServer(cleanups)] : []),
      ...(projectNames.includes("tls") ? [startHttpsServer(cleanups)] : []),
    ]);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startHttpServer(cleanups: (() => Promise<unknown>)[]) {
  const { dataDir, remove } = await copyDemoFolder();
  cleanups.push(remove);
  const server = await startServer({ PORT: String(await findFreePort()), DATA_DIR: dataDir });
  cleanups.push(server.stop);
  setClockOffset(dataDir);
  process.env.BASE_URL = server.url;
}

async function startHttpsServer(cleanups: (() => Promise<unknown>)[]) {
  const { dataDir, remove } = await copyDemoFolder();
  cleanups.push(remove);
  const certificate = makeCertificate();
  // Read by the workers, which start later: for requests outside the browser, for proxies that
  // tests start, and for browser arguments.
  const files = { cert: join(dataDir, "tls.crt"), key: join(dataDir, "tls.key") };
  writeFileSync(files.cert, certificate.cert);
  writeFileSync(files.key, certificate.key, { mode: 0o600 });
  process.env.NODE_EXTRA_CA_CERTS = files.cert;
  process.env.TLS_KEY_FILE = files.key;
  process.env.TLS_KEY_HASH = certificate.keyHash;
  const [port, upstream] = [await findFreePort(), await findFreePort()];
  const proxy = await startTlsProxy({ certificate, upstream, port });
  cleanups.push(proxy.stop);
  const server = await startServer({
    PORT: String(upstream),
    DATA_DIR: dataDir,
    APP_URL: proxy.url,
    TRUSTED_PROXY: "127.0.0.1",
  });
  cleanups.push(server.stop);
  setClockOffset(dataDir);
  process.env.TLS_BASE_URL = proxy.url;
}
