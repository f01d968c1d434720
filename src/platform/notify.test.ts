import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { announce, onNotice, startListening, stopListening } from "./notify.server.ts";

let otherProcess: Client;
let heard = 0;
onNotice("leaderboard", () => {
  heard += 1;
});

/** Everything that was sent before has arrived once this has come back. */
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

it("a notice reaches its own process once, and at once", async () => {
  const announced = announce("leaderboard");
  expect(heard).toBe(1);
  await announced;
  await untilDelivered();
  expect(heard).toBe(1);
});

it("a notice of another process is heard", async () => {
  await otherProcess.query("select pg_notify('furlong', 'leaderboard other-process')");
  await untilDelivered();
  expect(heard).toBe(1);
});

it("a notice without a sender, as a trigger or an operator sends it, is heard", async () => {
  await otherProcess.query("select pg_notify('furlong', 'leaderboard')");
  await untilDelivered();
  expect(heard).toBe(1);
});

it("two notices of this process are heard as two", async () => {
  await announce("leaderboard");
  await announce("leaderboard");
  await untilDelivered();
  expect(heard).toBe(2);
});
