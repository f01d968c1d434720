import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { onNotice, publishNotice, startListening, stopListening } from "./notify.server.ts";

let otherProcess: Client;
let heard = 0;
onNotice("leaderboard", () => {
  heard += 1;
});

/** Resolves when every notice sent before the call has been delivered. */
async function untilDelivered(): Promise<void> {
  const echo = new Promise<void>((done) => {
    const stop = onNotice("race-cards", () => {
      stop();
      done();
    });
  });
  await otherProcess.query("select pg_notify('furlong', 'race-cards other-process')");
  await echo;
}

beforeAll(async () => {
  otherProcess = new Client({ connectionString: process.env.DATABASE_URL });
  await otherProcess.connect();
  await startListening();
});
beforeEach(() => {
  heard = 0;
});
afterAll(async () => {
  await stopListening();
  await otherProcess.end();
});

it("delivers a notice to its own process once, without delay", async () => {
  const announced = publishNotice("leaderboard");
  expect(heard).toBe(1);
  await announced;
  await untilDelivered();
  expect(heard).toBe(1);
});

it("delivers a notice from another process", async () => {
  await otherProcess.query("select pg_notify('furlong', 'leaderboard other-process')");
  await untilDelivered();
  expect(heard).toBe(1);
});

it("delivers a notice without a sender, as sent by a trigger or an operator", async () => {
  await otherProcess.query("select pg_notify('furlong', 'leaderboard')");
  await untilDelivered();
  expect(heard).toBe(1);
});

it("delivers two notices from this process separately", async () => {
  await publishNotice("leaderboard");
  await publishNotice("leaderboard");
  await untilDelivered();
  expect(heard).toBe(2);
});
