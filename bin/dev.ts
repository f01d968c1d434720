import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createServer as createVite, isRunnableDevEnvironment } from "vite";
import { publicUrlSetter } from "#platform/http/public-url.server.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { claimDataFolder, environmentOrExit } from "./operator.ts";
import { stopSignal } from "./stop-signal.ts";
import { tell } from "./tell.ts";
import { welcome } from "./welcome.ts";

type Server = typeof import("#server.ts");

const told = once(stopSignal(), "abort");
const env = environmentOrExit();
const undo: (() => Promise<unknown> | unknown)[] = [];

async function start(): Promise<void> {
  undo.push(await claimDataFolder(env));
  const postgres = env.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: env.dataDir, keepRunning: true });
  if (postgres) undo.push(postgres.stop);
  process.env.NODE_ENV = "development";
  process.env.DATABASE_URL = env.databaseUrl ?? postgres?.url;

  const http = createServer();
  const vite = await createVite({
    appType: "custom",
    server: { middlewareMode: true, hmr: { server: http } },
  });
  undo.push(() => vite.close());
  const pages = vite.environments.ssr;
  if (!pages || !isRunnableDevEnvironment(pages)) throw new Error("Vite cannot run the server.");
  const load = (): Promise<Server> => pages.runner.import("/src/server.ts");

  const { prepare, connectProcess } = await load();
  await prepare(console.log);
  // Pages and routes are reloaded when their source changes; jobs are not.
  undo.push(await connectProcess(true));

  let current: { server: Server; listener: ReturnType<typeof getRequestListener> } | undefined;
  async function listener() {
    const server = await load();
    if (current?.server !== server)
      current = { server, listener: getRequestListener(server.createApp().fetch) };
    return current.listener;
  }
  const setPublicUrl = publicUrlSetter(env);
  http.on("request", (request, response) =>
    vite.middlewares(request, response, async () => {
      // Set after Vite's middleware, which needs the relative URL to serve its own files.
      setPublicUrl(request);
      try {
        await (await listener())(request, response);
      } catch (error) {
        if (error instanceof Error) vite.ssrFixStacktrace(error);
        console.error(error);
        response.writeHead(500).end(error instanceof Error ? error.stack : String(error));
      }
    }),
  );
  http.listen(env.port, env.host);
  await once(http, "listening");
  undo.push(() => http.closeAllConnections());
}

let code = 0;
try {
  await Promise.race([start().then(() => console.log(welcome(env))), told]);
  await told;
  console.log("Stopping ...");
} catch (error) {
  tell(error);
  code = 1;
}
for (const step of undo.reverse()) await step();
process.exit(code);
