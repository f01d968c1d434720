import { connect, createServer, type Server, type Socket } from "node:net";

/** A TCP proxy whose connections can be cut or silenced. */
export type CuttableWay = {
  /** The local port it listens on. */
  port: number;
  cut(): Promise<void>;
  mend(): Promise<void>;
  /**
   * Discards all data in both directions without closing connections; new connections are accepted. Connections
   * whose first packet contains `spared` keep working.
   */
  swallow(spared?: string): void;
  /** Forwards new connections again; existing ones stay silent. */
  letThrough(): void;
  /** Discards responses on existing connections, while requests still arrive. */
  loseAnswers(spared?: string): void;
  /** Connects new clients to another port; existing connections stay. */
  leadTo(port: number): void;
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
): Promise<CuttableWay> {
  let targetPort = target.port;
  const sockets = new Set<Socket>();
  const ways = new Set<Way>();
  let swallows = false;
  const server: Server = createServer((near) => {
    const far = connect({ ...target, port: targetPort });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    const way: Way = { near, far, firstWords: "" };
    near.once("data", (words) => {
      way.firstWords = words.toString("latin1");
    });
    near.on("close", () => ways.delete(way));
    ways.add(way);
    near.pipe(far);
    if (reportedPid === undefined) far.pipe(near);
    else pipeWithReportedPid(far, near, reportedPid);
    if (swallows) silence(way);
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
  const notSpared = (spared: string | undefined) =>
    [...ways].filter(({ firstWords }) => !spared || !firstWords.includes(spared));
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    port,
    cut,
    mend: async () => {
      await open(port);
    },
    swallow(spared) {
      swallows = true;
      for (const way of notSpared(spared)) silence(way);
    },
    letThrough() {
      swallows = false;
    },
    loseAnswers(spared) {
      for (const { near, far } of notSpared(spared)) lose(far, near);
    },
    leadTo(port) {
      targetPort = port;
    },
    close: async () => {
      if (server.listening) await cut();
    },
  };
}

/**
 * Forwards the server's data with the given process id in its BackendKeyData message. Messages before
 * the first ReadyForQuery are parsed one by one; afterwards bytes are piped.
 */
function pipeWithReportedPid(far: Socket, near: Socket, pid: number): void {
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
      near.write(message);
      if (type !== "Z") continue;
      far.off("data", read);
      if (unread.length > 0) near.write(unread);
      far.pipe(near);
      return;
    }
  };
  far.on("data", read);
  far.on("end", () => near.end());
}

/** Puts a proxy in front of the test's database. Must be called before anything connects. */
export async function leadOverCuttableWay(options: Options = {}): Promise<CuttableWay> {
  const url = new URL(process.env.DATABASE_URL ?? "");
  const way = await openTcpProxy({ host: url.hostname, port: Number(url.port) }, options);
  url.hostname = "127.0.0.1";
  url.port = String(way.port);
  process.env.DATABASE_URL = url.href;
  return way;
}

type Way = { near: Socket; far: Socket; firstWords: string };

function silence({ near, far }: Way): void {
  lose(near, far);
  lose(far, near);
}

function lose(from: Socket, to: Socket): void {
  from.unpipe(to);
  from.resume();
}
