import { mkdirSync } from "node:fs";
import { findFreePort } from "#platform/ports.server.ts";
import { makeDataFolder } from "#test/data-folder.ts";
import { startServer } from "#test/server-process.ts";
import { openTcpProxy } from "#test/tcp-proxy.ts";
import { setClockOffset } from "../clock.ts";
import type { BrowserDriver } from "./browser-driver.ts";
import { openFirefox } from "./firefox.ts";
import { buyAndUnlock, publishTip, readOffline, type Site, showDarkImages } from "./journeys.ts";
import { openWebKit } from "./webkit.ts";

/**
 * Runs the main user journeys in Debian's Firefox and WebKitGTK, if they are installed, against a
 * separate server with its own demo data. Installs nothing.
 */
const BROWSERS = [
  { open: openFirefox, journeys: [buyAndUnlock, readOffline, publishTip], needs: "firefox-esr" },
  {
    open: openWebKit,
    journeys: [buyAndUnlock, readOffline, publishTip],
    needs: "webkit2gtk-driver and xvfb",
  },
  {
    open: () => openWebKit({ isDark: true }),
    journeys: [showDarkImages],
    needs: "webkit2gtk-driver and xvfb",
  },
];
const SCREENSHOT_FOLDER = "test-results/browsers";

let passed = 0;
let failed = 0;

async function run(
  driver: BrowserDriver,
  site: Site,
  journey: (typeof BROWSERS)[0]["journeys"][0],
) {
  const startedAt = Date.now();
  let errorMessage = "";
  try {
    await journey(driver, site);
    const scriptErrors = driver.scriptErrors().splice(0);
    if (scriptErrors.length > 0) errorMessage = scriptErrors.join("\n        ");
  } catch (error) {
    errorMessage = error instanceof Error ? error.message : String(error);
    const screenshotPath = `${SCREENSHOT_FOLDER}/${driver.name.split(" ")[0]}-${journey.name}.png`;
    await driver.screenshot(screenshotPath).catch(() => {});
    errorMessage += `\n        at ${await driver.url()}, see ${screenshotPath}`;
  }
  await site.reconnect();
  if (errorMessage) failed += 1;
  else passed += 1;
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${errorMessage ? "FAILED" : "ok    "} ${journey.name} in ${driver.name} (${seconds} s)`,
  );
  if (errorMessage) console.log(`        ${errorMessage}`);
}

mkdirSync(SCREENSHOT_FOLDER, { recursive: true });
const { dataDir, remove } = await makeDataFolder();
const port = await findFreePort();
const proxy = await openTcpProxy({ host: "127.0.0.1", port });
const url = `http://localhost:${proxy.port}`;
let isConnected = true;
const site: Site = {
  url,
  disconnect: async () => {
    await proxy.disconnect();
    isConnected = false;
  },
  reconnect: async () => {
    if (!isConnected) await proxy.reconnect();
    isConnected = true;
  },
};
try {
  const server = await startServer({ PORT: String(port), DATA_DIR: dataDir, APP_URL: url });
  setClockOffset(dataDir);
  try {
    for (const { open, journeys, needs: packages } of BROWSERS) {
      const driver = await open();
      if (!driver) {
        console.log(`skipped: not installed (Debian packages: ${packages})`);
        continue;
      }
      for (const journey of journeys) await run(driver, site, journey);
      await driver.close();
    }
  } finally {
    await server.stop();
  }
} finally {
  await proxy.close();
  await remove();
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
