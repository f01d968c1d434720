import { expect, it } from "vitest";
import { readPlaywrightReport, readVitestReport } from "./test-report.ts";

it("counts a Vitest test that passed on its retry as passed and names it as flaky", () => {
  const report = {
    numPassedTests: 2,
    numFailedTests: 1,
    testResults: [
      {
        assertionResults: [
          { status: "passed", fullName: "the sum adds", failureMessages: [] },
          { status: "passed", fullName: "the sum waits", failureMessages: ["Timed out"] },
          { status: "failed", fullName: "the sum subtracts", failureMessages: ["Wrong"] },
        ],
      },
    ],
  };
  expect(readVitestReport(JSON.stringify(report))).toEqual({
    passed: 2,
    failed: 1,
    flaky: ["the sum waits"],
  });
});

it("counts a Playwright test that passed on a retry as passed and names it, also in nested suites", () => {
  const toSpec = (title: string, status: string) => ({
    title,
    file: "buying.spec.ts",
    tests: [{ status }],
  });
  const report = {
    stats: { expected: 3, flaky: 2, unexpected: 1 },
    suites: [
      {
        specs: [toSpec("sells", "expected"), toSpec("waits", "flaky")],
        suites: [{ specs: [toSpec("opens", "flaky"), toSpec("refuses", "unexpected")] }],
      },
    ],
  };
  expect(readPlaywrightReport(JSON.stringify(report))).toEqual({
    passed: 5,
    failed: 1,
    flaky: ["buying.spec.ts waits", "buying.spec.ts opens"],
  });
});
