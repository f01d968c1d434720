import { connect, createServer, type Server, type Socket } from "node:net";

/** A way to a database that can be cut: what is on it breaks off, and nothing new gets through. */
export type CuttableWay = {
  /** Where it begins, on this machine. */
  port: number;
  cut(): Promise<void>;
  mend(): Promise<void>;
  /**
   * From now on whatever is sent either way is lost, and nobody is told: connections stay, and new ones
   * are taken. What begins with words that are spared goes on as before.
   */
  swallow(spared?: string): void;
  /** What is new gets through again; what was there stays silent. */
  letThrough(): void;
  /** Whatever is answered on the connections there are is lost, though what is asked arrives. */
  loseAnswers(spared?: string): void;
  /** Leads new connections to another port; those that are open stay where they are. */
  leadTo(port: number): void;
  close(): Promise<void>;
};

type Options = {
  /** Replaces the backend process id that the server reports at connect, as PgBouncer does. */
  reportedPid?: number;
};

/** Opens a way to a port of this machine. */
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
 * Passes on what the server sends, with the given process id in its BackendKeyData message. The messages
 * before the first ReadyForQuery are read one by one; from then on bytes pass as they come.
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

/** Leads everything that opens the test's database from now on over a way that can be cut. Comes first. */
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
