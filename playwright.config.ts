import { defineConfig } from "@playwright/test";
import { findChromium } from "./bin/chromium.ts";

// Found, or unpacked, once and before any worker starts; workers are told by the environment.
process.env.CHROMIUM_PATH ??= await findChromium();

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/start-server.ts",
  outputDir: "test-results",
  workers: 2,
  forbidOnly: true,
  // Generous: what is waited for comes at once on a quiet machine, and late on a busy one.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  use: {
    // Set by the global set-up; every worker reads this file after it.
    baseURL: process.env.BASE_URL,
    // What a worker answers no test could change on the way; e2e/offline.spec.ts allows it.
    serviceWorkers: "block",
    locale: "en-ZA",
    timezoneId: "Africa/Johannesburg",
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
