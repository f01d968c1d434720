import { connect, createServer, type Server, type Socket } from "node:net";

/** A TCP proxy that can close, stall or redirect its connections. */
export type TcpProxy = {
  /** The local port it listens on. */
  port: number;
  /** Stops listening and closes all connections. */
  disconnect(): Promise<void>;
  /** Listens again on the same port. */
  reconnect(): Promise<void>;
  /**
   * Discards all data in both directions without closing connections; new connections are accepted.
   * Connections whose first packet contains `exceptClient`, such as an application name, keep working.
   */
  stall(exceptClient?: string): void;
  /** Forwards new connections again; existing ones stay stalled. */
  forwardNewConnections(): void;
  /** Discards responses on existing connections, while requests still arrive. */
  dropResponses(exceptClient?: string): void;
  /** Connects new clients to another port; existing connections stay. */
  setTargetPort(port: number): void;
  close(): Promise<void>;
};

type Options = {
  /** Replaces the backend process id that the server reports at connect, as PgBouncer does. */
  reportedPid?: number;
};

/** Starts a proxy to a target port. */
export async function openTcpProxy(
  target: { host: string; port: number },
  { reportedPid }: Options = {},
): Promise<TcpProxy> {
  let targetPort = target.port;
  const sockets = new Set<Socket>();
  const connections = new Set<Connection>();
  let isStalled = false;
  const listener: Server = createServer((client) => {
    const server = connect({ ...target, port: targetPort });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    const connection: Connection = { client, server, firstPacket: "" };
    client.once("data", (packet) => {
      connection.firstPacket = packet.toString("latin1");
    });
    client.on("close", () => connections.delete(connection));
    connections.add(connection);
    client.pipe(server);
    if (reportedPid === undefined) server.pipe(client);
    else pipeWithReportedPid(server, client, reportedPid);
    if (isStalled) stall(connection);
  });
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      listener.once("error", reject);
      listener.listen(port, "127.0.0.1", () => {
        const address = listener.address();
        resolve(typeof address === "object" && address ? address.port : 0);
      });
    });
  const port = await listen(0);
  const selectConnections = (exceptClient: string | undefined) =>
    [...connections].filter(
      ({ firstPacket }) => !exceptClient || !firstPacket.includes(exceptClient),
    );
  const disconnect = async () => {
    const closed = new Promise((resolve) => listener.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    port,
    disconnect,
    reconnect: async () => {
      await listen(port);
    },
    stall(exceptClient) {
      isStalled = true;
      for (const connection of selectConnections(exceptClient)) stall(connection);
    },
    forwardNewConnections() {
      isStalled = false;
    },
    dropResponses(exceptClient) {
      for (const { client, server } of selectConnections(exceptClient)) discard(server, client);
    },
    setTargetPort(port) {
      targetPort = port;
    },
    close: async () => {
      if (listener.listening) await disconnect();
    },
  };
}

/**
 * Forwards the server's data with the given process id in its BackendKeyData message. Messages
 * before the first ReadyForQuery are parsed one by one; afterwards bytes are piped.
 */
function pipeWithReportedPid(server: Socket, client: Socket, pid: number): void {
  let unread: Buffer = Buffer.alloc(0);
  const read = (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    while (unread.length >= 5) {
      const type = String.fromCharCode(unread[0] ?? 0);
      const end = 1 + unread.readInt32BE(1);
      if (unread.length < end) return;
      const message = unread.subarray(0, end);
      unread = unread.subarray(end);
      if (type === "K") message.writeInt32BE(pid, 5);
      client.write(message);
      if (type !== "Z") continue;
      server.off("data", read);
      if (unread.length > 0) client.write(unread);
      server.pipe(client);
      return;
    }
  };
  server.on("data", read);
  server.on("end", () => client.end());
}

/** Puts a proxy in front of the test's database. Must be called before anything connects. */
export async function proxyTestDatabase(options: Options = {}): Promise<TcpProxy> {
  const url = new URL(process.env.DATABASE_URL ?? "");
  const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) }, options);
  url.hostname = "127.0.0.1";
  url.port = String(proxy.port);
  process.env.DATABASE_URL = url.href;
  return proxy;
}

type Connection = { client: Socket; server: Socket; firstPacket: string };

function stall({ client, server }: Connection): void {
  discard(client, server);
  discard(server, client);
}

function discard(source: Socket, target: Socket): void {
  source.unpipe(target);
  source.resume();
}
