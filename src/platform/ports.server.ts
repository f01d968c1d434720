import { createServer } from "node:net";

/**
 * The ports that `findFreePort` returns lie below those that systems assign to outgoing connections
 * and to servers that listen on port 0.
 */
const FIRST_PORT = 20_000;
const PORT_COUNT = 10_000;
/** Processes that start together have neighbouring ids and take ports of different blocks. */
const BLOCK_SIZE = 16;
let nextOffset = process.pid * BLOCK_SIZE;

/** Returns a free port, a different one each time in this process. Others rarely choose from the same block. */
export async function findFreePort(host = "127.0.0.1"): Promise<number> {
  for (let attempts = 1; ; attempts += 1) {
    const port = FIRST_PORT + (nextOffset % PORT_COUNT);
    nextOffset += 1;
    const result = await tryToListen(port, host);
    if (typeof result === "number") return result;
    if (attempts === PORT_COUNT || result.code === "EADDRNOTAVAIL")
      throw new Error(`There is no free port on ${host}: ${result.code}`);
  }
}

/** Returns true when nothing listens on a port. A host we cannot bind to counts as free. */
export async function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  const result = await tryToListen(port, host);
  return typeof result === "number" || result.code !== "EADDRINUSE";
}

function tryToListen(port: number, host: string): Promise<number | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen(port, host, () => {
      server.close(() => resolve(port));
    });
  });
}
