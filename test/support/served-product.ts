import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { sendAsGuest } from "./app.ts";

/** Serves the product's public files over HTTP until the test file ends. Returns the address. */
export async function serveProduct(): Promise<string> {
  const server = createServer(async (request, response) => {
    const served = await sendAsGuest(request.url ?? "/");
    response.writeHead(served.status).end(Buffer.from(await served.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
