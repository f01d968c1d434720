import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { findFreePort } from "./ports.server.ts";

it("returns different ports below those of outgoing connections", async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => findFreePort()));
  expect(new Set(ports).size).toBe(20);
  // Linux assigns outgoing connections ports from 32,768, other systems from 49,152.
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it("skips a port that is in use", async () => {
  const server = createServer();
  let usedPort: number;
  do {
    usedPort = (await findFreePort()) + 1;
    server.listen(usedPort, "127.0.0.1");
    // Another test may have the port.
  } while (!(await once(server, "listening").then(Boolean, () => false)));
  try {
    expect(await findFreePort()).not.toBe(usedPort);
  } finally {
    server.close();
  }
});

it("throws for a host that is not an address of this machine", async () => {
  await expect(findFreePort("192.0.2.1")).rejects.toThrow("EADDRNOTAVAIL");
});
