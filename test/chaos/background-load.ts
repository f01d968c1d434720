import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "./http-client.ts";

/** Something that takes up the server's time and place until it is stopped. */
export type Nuisance = { stop(): Promise<void> };

const ANY_MS = 1_000;

/** Connections that send a byte a second: of headers that never end, or of a body that never does. */
export async function dripping(
  origin: string,
  count: number,
  what: "headers" | "body",
): Promise<Nuisance> {
  const beginnings = {
    headers: "GET / HTTP/1.1\r\nHost: furlong.test\r\nX-Slow: ",
    body: "POST /api/sign-in HTTP/1.1\r\nHost: furlong.test\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
  };
  const drop = what === "headers" ? "a" : "1\r\na\r\n";
  const sockets = await manySockets(origin, count, beginnings[what]);
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(drop);
  }, ANY_MS);
  return {
    async stop() {
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Browsers that listen for live events, a hundred of each address. */
export async function listening(
  origin: string,
  count: number,
): Promise<Nuisance & { heard(): number }> {
  const perAddress = 100;
  const sockets: Socket[] = [];
  let heard = 0;
  for (let done = 0; done < count; done += perAddress) {
    const more = await manySockets(
      origin,
      Math.min(perAddress, count - done),
      `GET /events/leaderboard HTTP/1.1\r\nHost: furlong.test\r\nX-Forwarded-For: 10.9.${done / perAddress}.1\r\n\r\n`,
    );
    for (const socket of more)
      socket.once("data", (words) => {
        if (words.toString().startsWith("HTTP/1.1 200")) heard += 1;
      });
    sockets.push(...more);
  }
  return {
    heard: () => heard,
    async stop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** People who cannot remember their passwords, so many a second, each from an address of their own. */
export function signingIn(origin: string, perSecond: number): Nuisance & { statuses: number[] } {
  const statuses: number[] = [];
  const underWay = new Set<Promise<unknown>>();
  let count = 0;
  const timer = setInterval(() => {
    for (let each = 0; each < perSecond / 10; each += 1) {
      count += 1;
      const email = `nobody${count}@torture.test`;
      const from = `10.${8 + (count >> 16)}.${(count >> 8) & 255}.${count & 255}`;
      const asked = ask(origin, "/api/sign-in", { json: { email, password: "not this" }, from });
      underWay.add(asked);
      asked.then(({ status }) => {
        statuses.push(status);
        underWay.delete(asked);
      });
    }
  }, 100);
  return {
    statuses,
    async stop() {
      clearInterval(timer);
      await Promise.race([Promise.all(underWay), sleep(30_000)]);
    },
  };
}

async function manySockets(origin: string, count: number, beginning: string): Promise<Socket[]> {
  const { hostname, port } = new URL(origin);
  return await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((done) => {
          const socket = connect(Number(port), hostname, () => {
            socket.write(beginning);
            done(socket);
          });
          socket.on("error", () => done(socket)); // refused or cut off: that is an answer too
          socket.on("data", () => {});
        }),
    ),
  );
}
