/** The counts of a test run, and the titles of tests that passed only when they were retried. */
export type TestReport = { passed: number; failed: number; flaky: string[] };

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; tests: { status: string }[] }[];
};

type PlaywrightReport = {
  stats: { expected: number; flaky: number; unexpected: number };
  suites: PlaywrightSuite[];
};

/** Reads the output of Vitest's JSON reporter, which keeps the errors of the attempts before a retry. */
export function readVitestReport(json: string): TestReport {
  const report = JSON.parse(json) as VitestReport;
  const flaky = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0)
    .map(({ fullName }) => fullName);
  return { passed: report.numPassedTests, failed: report.numFailedTests, flaky };
}

/** Reads the output of Playwright's JSON reporter. */
export function readPlaywrightReport(json: string): TestReport {
  const { stats, suites } = JSON.parse(json) as PlaywrightReport;
  const flaky = suites
    .flatMap(listSpecs)
    .flatMap(({ title, file, tests }) =>
      tests.filter(({ status }) => status === "flaky").map(() => `${file} ${title}`),
    );
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, flaky };
}

function listSpecs({ suites = [], specs = [] }: PlaywrightSuite): typeof specs {
  return [...specs, ...suites.flatMap(listSpecs)];
}
