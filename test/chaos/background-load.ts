import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sendRequest } from "./http-client.ts";

/** A load on the server that continues until `stop` is called. */
export type BackgroundLoad = { stop(): Promise<void> };

const SEND_INTERVAL_MS = 1_000;

/** Opens connections that send one byte a second of endless headers or an endless body. */
export async function openSlowRequests(
  origin: string,
  count: number,
  part: "headers" | "body",
): Promise<BackgroundLoad> {
  const requestStarts = {
    headers: "GET / HTTP/1.1\r\nHost: furlong.test\r\nX-Slow: ",
    body: "POST /api/sign-in HTTP/1.1\r\nHost: furlong.test\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
  };
  const chunk = part === "headers" ? "a" : "1\r\na\r\n";
  const sockets = await openSockets(origin, count, requestStarts[part]);
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(chunk);
  }, SEND_INTERVAL_MS);
  return {
    async stop() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Opens event streams, a hundred from each client address. */
export async function openEventStreams(
  origin: string,
  count: number,
): Promise<BackgroundLoad & { connected(): number }> {
  const perAddress = 100;
  const sockets: Socket[] = [];
  let connected = 0;
  for (let opened = 0; opened < count; opened += perAddress) {
    const batch = await openSockets(
      origin,
      Math.min(perAddress, count - opened),
      `GET /events/leaderboard HTTP/1.1\r\nHost: furlong.test\r\nX-Forwarded-For: 10.9.${opened / perAddress}.1\r\n\r\n`,
    );
    for (const socket of batch)
      socket.once("data", (chunk) => {
        if (chunk.toString().startsWith("HTTP/1.1 200")) connected += 1;
      });
    sockets.push(...batch);
  }
  return {
    connected: () => connected,
    async stop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends failed sign-ins at a constant rate, each from a different client address. */
export function sendFailedSignIns(
  origin: string,
  perSecond: number,
): BackgroundLoad & { statuses: number[] } {
  const statuses: number[] = [];
  const pending = new Set<Promise<unknown>>();
  let count = 0;
  const timer = setInterval(() => {
    for (let index = 0; index < perSecond / 10; index += 1) {
      count += 1;
      const email = `unknown${count}@chaos.test`;
      const clientAddress = `10.${8 + (count >> 16)}.${(count >> 8) & 255}.${count & 255}`;
      const response = sendRequest(origin, "/api/sign-in", {
        json: { email, password: "not this" },
        clientAddress,
      });
      pending.add(response);
      response.then(({ status }) => {
        statuses.push(status);
        pending.delete(response);
      });
    }
  }, 100);
  return {
    statuses,
    async stop() {
      clearInterval(timer);
      await Promise.race([Promise.all(pending), sleep(30_000)]);
    },
  };
}

async function openSockets(origin: string, count: number, requestStart: string): Promise<Socket[]> {
  const { hostname, port } = new URL(origin);
  return await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect(Number(port), hostname, () => {
            socket.write(requestStart);
            resolve(socket);
          });
          socket.on("error", () => resolve(socket)); // a refused or closed connection counts as opened
          socket.on("data", () => {});
        }),
    ),
  );
}
