import { expect, it } from "vitest";
import { jobs } from "#jobs.server.ts";

it("retries every job after a failure, such as a failover while it runs", () => {
  const jobsWithoutRetries = jobs().filter(({ retries }) => retries === 0);
  expect(jobsWithoutRetries.map(({ name }) => name)).toEqual([]);
});
