import { defineConfig } from "@playwright/test";
import { findChromium, findOldestChromium } from "./bin/chromium.ts";

// Finds or unpacks the browsers once. The workers inherit the paths in the environment.
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
 * Which files run, and how. `plain` (the default): every file over plain HTTP. `journeys` (as in `npm test`): the
 * main journeys over HTTPS, and other files over plain HTTP. `more` (as in `npm run test:more`): files that take
 * longer, and the oldest Chromium. `paystack`: the buying journey with the other provider. `tls`: every file
 * over HTTPS.
 */
const scope = process.env.E2E_SCOPE ?? "plain";
const TLS_ONLY = ["production.spec.ts", "load-balancer.spec.ts"];
const JOURNEYS = ["buying.spec.ts", "tipster.spec.ts", ...TLS_ONLY];
const MORE_ONLY = ["backup.spec.ts", "start-and-stop.spec.ts"];

// The global setup sets the URLs before any worker reads this file.
const plain = {
  name: "plain",
  testIgnore: TLS_ONLY,
  use: { baseURL: process.env.BASE_URL },
};
const tls = {
  name: "tls",
  ...(scope === "tls" ? {} : { testMatch: JOURNEYS }),
  use: {
    baseURL: process.env.TLS_BASE_URL,
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      // Trusts the test certificate, because service workers require a trusted one.
      args: [...ARGUMENTS, `--ignore-certificate-errors-spki-list=${process.env.TLS_KEY_HASH}`],
    },
  },
};

/** Runs the buying journey in the oldest supported Chromium, if it is available for this platform. */
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
  retries: process.env.CI === "true" ? 2 : 0,
  // Long timeouts, because a busy machine can be slow.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    // Playwright cannot intercept responses of a service worker. Offline tests allow service workers.
    serviceWorkers: "block",
    locale: "en-ZA",
    timezoneId: "Africa/Johannesburg",
    // Screenshots and snapshots of every action would take a third of the run.
    trace: { mode: "on-first-retry", screenshots: false, snapshots: false },
    screenshot: "only-on-failure",
    launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: ARGUMENTS },
  },
  // All projects share one screenshot.
  snapshotPathTemplate: "{testDir}/{testFilePath}-snapshots/{arg}-{platform}{ext}",
  // The longest file is in `tls`, so it comes first: at the end it would occupy one worker alone.
  projects: {
    plain: [plain],
    journeys: [tls, { ...plain, testIgnore: [...JOURNEYS, ...MORE_ONLY] }],
    more: [{ ...plain, testMatch: MORE_ONLY }, ...oldest],
    paystack: [{ ...plain, testMatch: "buying.spec.ts" }],
    tls: [tls],
  }[scope],
});
