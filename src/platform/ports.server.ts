import { createServer } from "node:net";

/** Returns a free port. Another process can take it before it is used. */
export async function findFreePort(host = "127.0.0.1"): Promise<number> {
  const port = await tryToListen(0, host);
  if (typeof port !== "number") throw new Error(`There is no free port on ${host}: ${port.code}`);
  return port;
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
      const address = server.address();
      const findFreePort = typeof address === "object" && address ? address.port : port;
      server.close(() => resolve(findFreePort));
    });
  });
}
