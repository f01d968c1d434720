import { expect, it } from "vitest";
import { jobs } from "#jobs.server.ts";

it("retries every job after a failure, such as a failover while it runs", () => {
  const never = jobs().filter(({ retries }) => retries === 0);
  expect(never.map(({ name }) => name)).toEqual([]);
});
