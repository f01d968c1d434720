import { connect, createServer, type Server, type Socket } from "node:net";

/** A way to the test's database that can be cut: what is on it breaks off, and nothing new gets through. */
export type CuttableWay = { cut(): Promise<void>; mend(): Promise<void>; close(): Promise<void> };

/** Leads everything that opens the database from now on over a way that can be cut. Comes first. */
export async function leadOverCuttableWay(): Promise<CuttableWay> {
  const url = new URL(process.env.DATABASE_URL ?? "");
  const target = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(target);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  const open = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address ? address.port : 0);
      });
    });
  const port = await open(0);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  process.env.DATABASE_URL = url.href;
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    cut,
    mend: async () => {
      await open(port);
    },
    close: async () => {
      if (server.listening) await cut();
    },
  };
}
