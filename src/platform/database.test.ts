import { beforeAll, describe, expect, it } from "vitest";
import {
  errorCode,
  isDatabaseUnavailable,
  pool,
  queryPrepared,
  transaction,
} from "./database.server.ts";

beforeAll(async () => {
  await pool().query("create table counters (id integer primary key, count integer not null)");
  await pool().query("insert into counters values (1, 0), (2, 0)");
});

const readCount = async (id: number) =>
  (await pool().query<{ count: number }>("select count from counters where id = $1", [id])).rows[0]
    ?.count;

const raiseStatement = (code: string) =>
  `do $$ begin raise exception 'injected' using errcode = '${code}'; end $$`;

describe("a transaction", () => {
  it("is retried after a deadlock, and both transactions are applied once", async () => {
    const before = [await readCount(1), await readCount(2)];
    let attempts = 0;
    const waitForBothLocks = barrier(2);
    const addInOrder = (ids: [number, number]) =>
      transaction(async (tx) => {
        attempts += 1;
        await tx.execute(`update counters set count = count + 1 where id = ${ids[0]}`);
        // Only the first attempts wait here: each holds the row lock that the other needs next.
        await waitForBothLocks();
        await tx.execute(`update counters set count = count + 1 where id = ${ids[1]}`);
      });
    await Promise.all([addInOrder([1, 2]), addInOrder([2, 1])]);
    expect(attempts).toBe(3);
    expect([await readCount(1), await readCount(2)]).toEqual(
      before.map((count) => (count ?? 0) + 2),
    );
  });

  it.each(["40001", "40P01"])(
    "is retried after %s, and only the last attempt is applied",
    async (code) => {
      const before = (await readCount(1)) ?? 0;
      let attempts = 0;
      const result = await transaction(async (tx) => {
        attempts += 1;
        await tx.execute("update counters set count = count + 1 where id = 1");
        if (attempts < 3) await tx.execute(raiseStatement(code));
        return attempts;
      });
      expect(result).toBe(3);
      expect(await readCount(1)).toBe(before + 1);
    },
  );

  it("fails with the database's error after five attempts", async () => {
    let attempts = 0;
    const failing = transaction(async (tx) => {
      attempts += 1;
      await tx.execute(raiseStatement("40P01"));
    });
    expect(errorCode(await failing.catch((error) => error))).toBe("40P01");
    expect(attempts).toBe(5);
  });

  it.each(["23505", "23514", "57014", "P0001"])("is not retried after %s", async (code) => {
    let attempts = 0;
    const failing = transaction(async (tx) => {
      attempts += 1;
      await tx.execute(raiseStatement(code));
    });
    expect(errorCode(await failing.catch((error) => error))).toBe(code);
    expect(attempts).toBe(1);
  });

  it("is not retried when the work itself throws an error", async () => {
    let attempts = 0;
    const failing = transaction(async () => {
      attempts += 1;
      throw new Error("not a database error");
    });
    await expect(failing).rejects.toThrow("not a database error");
    expect(attempts).toBe(1);
  });
});

describe("a prepared statement", () => {
  it("is retried after a deadlock", async () => {
    await pool().query("create sequence attempts");
    await pool().query(`create function fail_twice() returns integer language plpgsql as $$
      begin
        if nextval('attempts') < 3 then raise exception 'injected' using errcode = '40P01'; end if;
        return 7;
      end $$`);
    expect(await queryPrepared("fail-twice", "select fail_twice() as result", [])).toEqual([
      { result: 7 },
    ]);
  });
});

/** Returns a function whose calls resolve at the `count`th call; later calls do not wait. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls >= count) resolve();
    await promise;
  };
}

describe("isDatabaseUnavailable", () => {
  const withCode = (code: string, severity: string) =>
    new Error("wrapped", { cause: Object.assign(new Error("of the server"), { code, severity }) });

  it.each([
    ["25006", "ERROR", true],
    ["57P01", "FATAL", true],
    // PgBouncer's "server conn crashed?" and "query_wait_timeout".
    ["08P01", "FATAL", true],
    // PostgreSQL's response to a statement with a missing parameter.
    ["08P01", "ERROR", false],
    ["42501", "ERROR", false],
    ["28P01", "FATAL", false],
  ])("given code %s and severity %s, returns %s", (code, severity, isOutage) => {
    expect(isDatabaseUnavailable(withCode(code, severity))).toBe(isOutage);
  });
});
