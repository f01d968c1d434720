import { expect, it } from "vitest";
import { freezeClock, now } from "./clock.server.ts";
import { pool } from "./database.server.ts";
import { runEach } from "./run-each.server.ts";

const readAlerts = async (subject: string) =>
  (
    await pool().query<{ message: string }>(
      "select message from alerts where kind = 'job-failed' and subject = $1",
      [subject],
    )
  ).rows;

/** Runs a job on three items, of which the second fails with an error. */
async function runWith(job: string, error: unknown): Promise<string[]> {
  const done: string[] = [];
  await runEach(
    job,
    ["first", "second", "third"],
    (item) => `item ${item}`,
    async (item) => {
      if (item === "second") throw error;
      done.push(item);
    },
  ).catch((thrown: Error) => done.push(thrown.message));
  return done;
}

it("runs the items after one that fails, names it in an alert and throws", async () => {
  const error = new Error("outer", { cause: new Error("no key for thandi@example.test") });
  const message = "1 failed: item second (Error: no key for (an address))";
  expect(await runWith("one-fails", error)).toEqual(["first", "third", message]);
  expect(await readAlerts("one-fails")).toEqual([
    { message: expect.stringMatching(/^"one-fails": 1 failed: item second \(Error: no key/) },
  ]);
});

it("continues after a statement that took too long", async () => {
  const error = Object.assign(new Error("canceling statement"), { code: "57014" });
  expect(await runWith("slow", error)).toEqual([
    "first",
    "third",
    expect.stringContaining("item second"),
  ]);
});

it("stops without an alert when the database is lost", async () => {
  const error = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  expect(await runWith("lost", error)).toEqual(["first", "connect ECONNREFUSED"]);
  expect(await readAlerts("lost")).toEqual([]);
});

it("raises the alert at most once an hour", async () => {
  const readTime = async () =>
    (await pool().query("select created_at from alerts where subject = 'again'")).rows[0]
      .created_at;
  freezeClock(now());
  await runWith("again", new Error("broken"));
  const raisedAt = await readTime();
  freezeClock(new Date(now().getTime() + 59 * 60_000));
  await runWith("again", new Error("broken"));
  expect(await readTime()).toEqual(raisedAt);
  freezeClock(new Date(now().getTime() + 60_000));
  await runWith("again", new Error("broken"));
  expect(await readTime()).toEqual(now());
  freezeClock(null);
});

it("names the first ten of many failures", async () => {
  const items = Array.from({ length: 12 }, (_, index) => `${index + 1}`);
  await expect(
    runEach("many", items, String, () => Promise.reject(new Error("broken"))),
  ).rejects.toThrow(/^12 failed: 1 .*, 10 \(Error: broken\) and 2 more$/);
});
