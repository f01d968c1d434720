import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildStep, finish, runPlaywright, runScript, runVitest, step } from "./check-steps.ts";
import { testChosenDays } from "./chosen-days.ts";

// `npm run test:more`: the tests that take longer than `npm test` allows, for releases and large changes. A
// test that passed only on a retry counts as failed.

/** Returns the test files with property tests. */
function findPropertyTests(): string[] {
  return ["src", "demo", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((file) => join(folder, file))
      .filter((file) => /\.test\.tsx?$/.test(file))
      .filter((file) => readFileSync(file, "utf8").includes('from "fast-check"')),
  );
}

if (await buildStep()) {
  await step("property tests with random seeds", () =>
    runVitest(findPropertyTests(), { PROPERTY_SEED: "random" }),
  );
  await step("browser tests that take longer, and the oldest Chromium", () =>
    runPlaywright("more"),
  );
  await step("buying with the fake Paystack", () =>
    runPlaywright("paystack", { extraEnv: { PAYMENT_PROVIDER: "paystack" } }),
  );
  await testChosenDays();
  await step("Firefox and WebKit", () => runScript(["e2e/browsers/main.ts"]));
  await step("chaos tests (quick)", () => runScript(["test/chaos/main.ts", "--quick"]));
}
finish({ failsOnFlaky: true });
