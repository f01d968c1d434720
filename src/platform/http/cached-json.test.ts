import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freezeClock } from "#platform/clock.server.ts";
import { publishUpdate, startListening, stopListening } from "#platform/notify.server.ts";
import { createCachedJson } from "./cached-json.server.ts";

let reads = 0;
let read: (at: Date) => Promise<{ text: string }>;
const cached = createCachedJson({
  invalidatedBy: ["race-cards"],
  cacheControl: "private, no-store",
  read: async (at) => {
    reads += 1;
    return await read(at);
  },
});
const respondWith = (text: string) => {
  read = async () => ({ text });
};
const textOf = async () => (await (await cached.respond()).json()).text;
const cachedText = () => {
  const body = cached.getCached()?.body;
  return body ? JSON.parse(Buffer.from(body).toString()).text : null;
};

beforeEach(async () => {
  freezeClock(new Date("2026-11-22T10:00:00.000Z"));
  await publishUpdate("race-cards");
  reads = 0;
});
afterEach(() => freezeClock(null));

describe("createCachedJson", () => {
  it("reads once for concurrent and later requests", async () => {
    respondWith("one");
    expect(await Promise.all([textOf(), textOf(), textOf()])).toEqual(["one", "one", "one"]);
    expect([await textOf(), cachedText(), (await cached.read()).text]).toEqual([
      "one",
      "one",
      "one",
    ]);
    expect(reads).toBe(1);
  });

  it("has no cached response before the first request", () => {
    expect(cached.getCached()).toBeNull();
  });

  it("returns the same headers from the cache as from the application", async () => {
    respondWith("one");
    const { headers } = await cached.respond();
    const cachedHeaders = cached.getCached()?.headers ?? [];
    for (const [name, value] of headers) {
      const at = cachedHeaders.findIndex((each) => each.toLowerCase() === name);
      expect(cachedHeaders[at + 1], name).toBe(value);
    }
    expect(cachedHeaders).toContain("X-Frame-Options");
  });

  it("reads again after an update", async () => {
    respondWith("before");
    await textOf();
    respondWith("after");
    await publishUpdate("race-cards");
    expect(cached.getCached()).toBeNull();
    expect(await textOf()).toBe("after");
  });

  it("reads again after an update from another process", async () => {
    respondWith("before");
    await textOf();
    respondWith("after");
    const otherProcess = new Client({ connectionString: process.env.DATABASE_URL });
    await startListening();
    try {
      await otherProcess.connect();
      await otherProcess.query("select pg_notify('furlong', 'race-cards other-process')");
      await expect.poll(() => cached.getCached()).toBeNull();
      expect(await textOf()).toBe("after");
    } finally {
      await stopListening();
      await otherProcess.end();
    }
  });

  it("does not cache data whose reading began before an update", async () => {
    let finish = () => {};
    read = () =>
      new Promise((resolve) => {
        finish = () => resolve({ text: "withdrawn" });
      });
    const waiting = textOf();
    await publishUpdate("race-cards");
    respondWith("current");
    const afterUpdate = textOf();
    finish();
    expect([await waiting, await afterUpdate]).toEqual(["withdrawn", "current"]);
    expect([cachedText(), await textOf()]).toEqual(["current", "current"]);
    expect(reads).toBe(2);
  });

  it("reads again after five seconds", async () => {
    respondWith("one");
    await textOf();
    respondWith("two");
    freezeClock(new Date("2026-11-22T10:00:04.999Z"));
    expect([cachedText(), await textOf()]).toEqual(["one", "one"]);
    freezeClock(new Date("2026-11-22T10:00:05.000Z"));
    expect([cachedText(), await textOf()]).toEqual([null, "two"]);
  });

  it("reads again at every full minute, at which races are off and race cards close", async () => {
    freezeClock(new Date("2026-11-22T10:00:57.500Z"));
    respondWith("on sale");
    await textOf();
    respondWith("closed");
    freezeClock(new Date("2026-11-22T10:00:59.999Z"));
    expect([cachedText(), await textOf()]).toEqual(["on sale", "on sale"]);
    freezeClock(new Date("2026-11-22T10:01:00.000Z"));
    expect([cachedText(), await textOf()]).toEqual([null, "closed"]);
  });

  it("reads again after data that cannot be serialised", async () => {
    const loop: { text: string; loop?: unknown } = { text: "loop" };
    loop.loop = loop;
    read = async () => loop;
    await expect(textOf()).rejects.toThrow("circular");
    expect(cached.getCached()).toBeNull();
    respondWith("back");
    expect(await textOf()).toBe("back");
  });

  it("reads again after an error", async () => {
    read = () => Promise.reject(new Error("away"));
    await expect(textOf()).rejects.toThrow("away");
    expect(cached.getCached()).toBeNull();
    respondWith("back");
    expect(await textOf()).toBe("back");
  });
});
