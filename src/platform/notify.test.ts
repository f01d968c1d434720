import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { onUpdate, publishUpdate, startListening, stopListening } from "./notify.server.ts";

let otherProcess: Client;
let updateCount = 0;
onUpdate("standings", () => {
  updateCount += 1;
});

/** Resolves when every update sent before the call has been delivered. */
async function waitForDelivery(): Promise<void> {
  const delivered = new Promise<void>((resolve) => {
    const unsubscribe = onUpdate("race-cards", () => {
      unsubscribe();
      resolve();
    });
  });
  await otherProcess.query("select pg_notify('furlong', 'race-cards other-process')");
  await delivered;
}

beforeAll(async () => {
  otherProcess = new Client({ connectionString: process.env.DATABASE_URL });
  await otherProcess.connect();
  await startListening();
});
beforeEach(() => {
  updateCount = 0;
});
afterAll(async () => {
  await stopListening();
  await otherProcess.end();
});

it("delivers an update to its own process once, without delay", async () => {
  const published = publishUpdate("standings");
  expect(updateCount).toBe(1);
  await published;
  await waitForDelivery();
  expect(updateCount).toBe(1);
});

it("delivers an update from another process", async () => {
  await otherProcess.query("select pg_notify('furlong', 'standings other-process')");
  await waitForDelivery();
  expect(updateCount).toBe(1);
});

it("delivers an update without a sender, as sent by a trigger or an operator", async () => {
  await otherProcess.query("select pg_notify('furlong', 'standings')");
  await waitForDelivery();
  expect(updateCount).toBe(1);
});

it("delivers two updates from this process separately", async () => {
  await publishUpdate("standings");
  await publishUpdate("standings");
  await waitForDelivery();
  expect(updateCount).toBe(2);
});
