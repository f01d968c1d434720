import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createServer as createVite, isRunnableDevEnvironment } from "vite";
import { createPublicUrlSetter } from "#platform/http/public-url.server.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { lockDataFolder, readEnvOrExit } from "./command-environment.ts";
import { printError } from "./print-error.ts";
import { createShutdownSignal } from "./shutdown-signal.ts";
import { formatStartupMessage } from "./startup-message.ts";

type ServerModule = typeof import("#server.ts");

const shutdownRequested = once(createShutdownSignal(), "abort");
const env = readEnvOrExit();
const cleanUpSteps: (() => Promise<unknown> | unknown)[] = [];

async function start(): Promise<void> {
  cleanUpSteps.push(await lockDataFolder(env));
  const postgres = env.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: env.dataDir, keepRunning: true });
  if (postgres) cleanUpSteps.push(postgres.stop);
  process.env.NODE_ENV = "development";
  process.env.DATABASE_URL = env.databaseUrl ?? postgres?.url;

  const http = createServer();
  const vite = await createVite({
    appType: "custom",
    server: { middlewareMode: true, hmr: { server: http } },
  });
  cleanUpSteps.push(() => vite.close());
  const ssr = vite.environments.ssr;
  if (!ssr || !isRunnableDevEnvironment(ssr)) throw new Error("Vite cannot run the server.");
  const load = (): Promise<ServerModule> => ssr.runner.import("/src/server.ts");

  const { prepare }: typeof import("#prepare.server.ts") =
    await ssr.runner.import("/src/prepare.server.ts");
  await prepare(console.log);
  const { connectProcess } = await load();
  // Pages and routes are reloaded when their source changes; jobs are not.
  cleanUpSteps.push(await connectProcess(true));

  let current:
    | { server: ServerModule; listener: ReturnType<typeof getRequestListener> }
    | undefined;
  async function currentListener() {
    const server = await load();
    if (current?.server !== server)
      current = { server, listener: getRequestListener(server.createApp().fetch) };
    return current.listener;
  }
  const setPublicUrl = createPublicUrlSetter(env);
  http.on("request", (request, response) =>
    vite.middlewares(request, response, async () => {
      // Must run after Vite's middleware, which needs the relative URL to serve its own files.
      setPublicUrl(request);
      try {
        await (await currentListener())(request, response);
      } catch (error) {
        if (error instanceof Error) vite.ssrFixStacktrace(error);
        console.error(error);
        response.writeHead(500).end(error instanceof Error ? error.stack : String(error));
      }
    }),
  );
  http.listen(env.port, env.host);
  await once(http, "listening");
  cleanUpSteps.push(() => http.closeAllConnections());
}

let code = 0;
try {
  await Promise.race([
    start().then(() => console.log(formatStartupMessage(env))),
    shutdownRequested,
  ]);
  await shutdownRequested;
  console.log("Stopping ...");
} catch (error) {
  printError(error);
  code = 1;
}
for (const step of cleanUpSteps.reverse()) await step();
process.exit(code);
