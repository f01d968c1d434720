import { defineConfig } from "@playwright/test";
import { findChromium, findOldestChromium } from "./bin/chromium.ts";

// Found, or unpacked, once and before any worker starts; workers are told by the environment.
process.env.CHROMIUM_PATH ??= await findChromium();
process.env.OLDEST_CHROMIUM_PATH ??= (await findOldestChromium()) ?? "";

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/**
 * How much runs through HTTPS: nothing (the default, for a single file), the journeys and everything else
 * through plain HTTP (`journeys`, as `npm test` does), or every file and nothing else (`all`).
 */
const throughTls = process.env.E2E_TLS ?? "nothing";
const ONLY_THROUGH_TLS = ["production.spec.ts", "load-balancer.spec.ts"];
const JOURNEYS = ["buying.spec.ts", "tipster.spec.ts", ...ONLY_THROUGH_TLS];

// The addresses are set by the global set-up; every worker reads this file after it.
const plain = {
  name: "plain",
  testIgnore: ONLY_THROUGH_TLS,
  use: { baseURL: process.env.BASE_URL },
};
const tls = {
  name: "tls",
  ...(throughTls === "all" ? {} : { testMatch: JOURNEYS }),
  use: {
    baseURL: process.env.TLS_BASE_URL,
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      // As a browser that trusts the certificate: a service worker takes no other.
      args: [...ARGUMENTS, `--ignore-certificate-errors-spki-list=${process.env.TLS_KEY_HASH}`],
    },
  },
};

/** What runs through HTTPS needs no second run in the same browser through plain HTTP. */
const plainWithoutJourneys = { ...plain, testIgnore: JOURNEYS };

/** The buying journey in the oldest supported Chromium, where its package is built for this machine. */
const oldest = process.env.OLDEST_CHROMIUM_PATH
  ? [
      {
        name: "oldest-chromium",
        testMatch: "buying.spec.ts",
        use: {
          baseURL: process.env.BASE_URL,
          launchOptions: { executablePath: process.env.OLDEST_CHROMIUM_PATH, args: ARGUMENTS },
        },
      },
    ]
  : [];

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
    // What a worker answers no test could change on the way; e2e/offline.spec.ts allows it.
    serviceWorkers: "block",
    locale: "en-ZA",
    timezoneId: "Africa/Johannesburg",
    trace: "retain-on-failure",
    launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: ARGUMENTS },
  },
  // One picture for every project.
  snapshotPathTemplate: "{testDir}/{testFilePath}-snapshots/{arg}-{platform}{ext}",
  projects: { nothing: [plain], journeys: [plainWithoutJourneys, tls, ...oldest], all: [tls] }[
    throughTls
  ],
});
