import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { onNotice, publishNotice, startListening, stopListening } from "./notify.server.ts";

let otherProcess: Client;
let noticeCount = 0;
onNotice("standings", () => {
  noticeCount += 1;
});

/** Resolves when every notice sent before the call has been delivered. */
async function waitForDelivery(): Promise<void> {
  const delivered = new Promise<void>((resolve) => {
    const unsubscribe = onNotice("race-cards", () => {
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
  noticeCount = 0;
});
afterAll(async () => {
  await stopListening();
  await otherProcess.end();
});

it("delivers a notice to its own process once, without delay", async () => {
  const published = publishNotice("standings");
  expect(noticeCount).toBe(1);
  await published;
  await waitForDelivery();
  expect(noticeCount).toBe(1);
});

it("delivers a notice from another process", async () => {
  await otherProcess.query("select pg_notify('furlong', 'standings other-process')");
  await waitForDelivery();
  expect(noticeCount).toBe(1);
});

it("delivers a notice without a sender, as sent by a trigger or an operator", async () => {
  await otherProcess.query("select pg_notify('furlong', 'standings')");
  await waitForDelivery();
  expect(noticeCount).toBe(1);
});

it("delivers two notices from this process separately", async () => {
  await publishNotice("standings");
  await publishNotice("standings");
  await waitForDelivery();
  expect(noticeCount).toBe(2);
});
