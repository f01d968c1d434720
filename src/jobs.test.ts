import { expect, it } from "vitest";
import { jobs } from "#jobs.server.ts";

it("every job is retried after a failure, such as a failover in the middle of it", () => {
  const never = jobs().filter(({ retries }) => retries === 0);
  expect(never.map(({ name }) => name)).toEqual([]);
});
