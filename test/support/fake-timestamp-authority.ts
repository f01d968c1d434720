import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createTimestampResponse, type TimestampFields } from "./der.ts";

/** Replaces the response of an honest authority. */
export type Behaviour = (
  response: ServerResponse,
  honest: TimestampFields,
  request: Buffer,
) => void | Promise<void>;

/** A timestamp authority on this machine. Its tokens are not signed, and its clock is the given one. */
export class FakeTimestampAuthority {
  readonly name: string;
  /** The digests of the requests, in hexadecimal, oldest first. */
  readonly requests: string[] = [];
  behaviour: Behaviour | null = null;
  url = "";
  readonly #now: () => Date;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  constructor(name: string, now: () => Date) {
    this.name = name;
    this.#now = now;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/tsr`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const isQuery =
      request.method === "POST" &&
      request.headers["content-type"] === "application/timestamp-query" &&
      body.length === 69;
    if (!isQuery) return void response.writeHead(400).end();
    const honest = {
      digest: body.subarray(24, 56),
      nonce: body.subarray(58, 66),
      time: new Date(Math.floor(this.#now().getTime() / 1000) * 1000),
    };
    this.requests.push(honest.digest.toString("hex"));
    if (this.behaviour) return void (await this.behaviour(response, honest, body));
    sendTimestamp(response, honest);
  }
}

export function sendTimestamp(response: ServerResponse, fields: TimestampFields): void {
  response.writeHead(200, { "Content-Type": "application/timestamp-reply" });
  response.end(createTimestampResponse(fields));
}
