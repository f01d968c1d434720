import { randomInt } from "node:crypto";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vitest/config";
import { mdxPlugin } from "./bin/mdx-plugin.ts";

const PROPERTY_SEED = process.env.PROPERTY_SEED ?? "20261128";
/** The seed of the property tests: a fixed one, another number, or a random one for PROPERTY_SEED=random. */
const propertySeed = PROPERTY_SEED === "random" ? randomInt(2 ** 31) : Number(PROPERTY_SEED);
console.log(`Property tests use PROPERTY_SEED=${propertySeed}`);
// Read by the set-up of every test file.
process.env.PROPERTY_SEED = String(propertySeed);

const UNIT_TESTS = [
  "src/domain/**/*.test.ts",
  "src/ui/**/*.test.{ts,tsx}",
  "bin/**/*.test.ts",
  "test/chunk-groups.test.ts",
  "test/layering.test.ts",
  "test/chaos/**/*.test.ts",
  "test/support/**/*.test.ts",
  "test/mutants/**/*.test.ts",
];

const PROPERTY_SETUP = "test/support/setup-properties.ts";

/** Detect tests that hang. High, because tests are slow on a busy machine. */
const TIMEOUTS = {
  testTimeout: 90_000,
  hookTimeout: 90_000,
  // Roll-ups wait for every transaction of the server, also those that other tests hold open.
  expect: { poll: { timeout: 60_000 } },
};

const PRODUCTION_JSX = "\0production-jsx";

/**
 * Lets compiled JSX call the production build of React, which renders a page in two thirds of the time. The
 * router's plugin compiles JSX for the development build in every configuration that is not a build.
 */
const useProductionReact: Plugin = {
  name: "production-react",
  enforce: "pre",
  resolveId: (id) => (id === "react/jsx-dev-runtime" ? PRODUCTION_JSX : undefined),
  load: (id) =>
    id === PRODUCTION_JSX
      ? 'export { Fragment, jsx as jsxDEV } from "react/jsx-runtime";'
      : undefined,
};

export default defineConfig({
  test: {
    maxWorkers: 3,
    // The router's plugin watches files even when its project is not selected.
    teardownTimeout: 3_000,
    projects: [
      {
        test: {
          ...TIMEOUTS,
          name: "unit",
          include: UNIT_TESTS,
          setupFiles: PROPERTY_SETUP,
          isolate: false,
        },
      },
      {
        // The router's plugin lets tests send requests to the whole app in process, including pages.
        plugins: [useProductionReact, mdxPlugin, reactRouter()],
        test: {
          ...TIMEOUTS,
          name: "integration",
          env: { NODE_ENV: "production" },
          include: ["{src,demo}/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
          exclude: UNIT_TESTS,
          globalSetup: "test/support/start-database.ts",
          setupFiles: ["test/support/setup-database.ts", PROPERTY_SETUP],
          isolate: false,
          // Property tests set 0, so that a counterexample is never retried.
          retry: process.env.CI === "true" ? 1 : 0,
        },
      },
    ],
  },
});
