import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vitest/config";

const PURE = [
  "src/domain/**/*.test.ts",
  "src/ui/**/*.test.{ts,tsx}",
  "bin/**/*.test.ts",
  "test/layering.test.ts",
  "test/chaos/**/*.test.ts",
  "test/support/**/*.test.ts",
  "test/mutants/**/*.test.ts",
];

export default defineConfig({
  test: {
    maxWorkers: 2,
    // The router's plugin keeps watching files where its project has been filtered out.
    teardownTimeout: 3_000,
    projects: [
      { test: { name: "unit", include: PURE } },
      {
        // The router's plugin lets a test ask the whole app, pages and all, in its own process.
        plugins: [reactRouter()],
        test: {
          name: "integration",
          include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
          exclude: PURE,
          globalSetup: "test/support/start-database.ts",
          setupFiles: "test/support/use-database.ts",
          isolate: false,
          // For what hangs: what is slow on a busy machine is no fault.
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
    ],
  },
});
