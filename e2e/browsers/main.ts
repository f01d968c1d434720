import { mkdirSync } from "node:fs";
import { findFreePort } from "#platform/ports.server.ts";
import { makeDataFolder } from "#test/data-folder.ts";
import { startProduct } from "#test/started-product.ts";
import { openTcpProxy } from "#test/tcp-proxy.ts";
import { openFirefox } from "./firefox.ts";
import { buyAndOpen, darkPictures, publish, readOffline, type Site } from "./journeys.ts";
import type { Visitor } from "./visitor.ts";
import { openWebKit } from "./webkit.ts";

/**
 * Runs the main journeys in Debian's Firefox and WebKitGTK, if they are installed, against a
 * separate server with its own demo data. Installs nothing.
 */
const BROWSERS = [
  { open: openFirefox, journeys: [buyAndOpen, readOffline, publish], needs: "firefox-esr" },
  {
    open: openWebKit,
    journeys: [buyAndOpen, readOffline, publish],
    needs: "webkit2gtk-driver and xvfb",
  },
  {
    open: () => openWebKit({ isDark: true }),
    journeys: [darkPictures],
    needs: "webkit2gtk-driver and xvfb",
  },
];
const PICTURES = "test-results/browsers";

let passed = 0;
let failed = 0;

async function run(visitor: Visitor, site: Site, journey: (typeof BROWSERS)[0]["journeys"][0]) {
  const began = Date.now();
  let problem = "";
  try {
    await journey(visitor, site);
    const complaints = visitor.complaints().splice(0);
    if (complaints.length > 0) problem = complaints.join("\n        ");
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
    const picture = `${PICTURES}/${visitor.name.split(" ")[0]}-${journey.name}.png`;
    await visitor.screenshot(picture).catch(() => {});
    problem += `\n        at ${await visitor.url()}, see ${picture}`;
  }
  await site.reconnect();
  if (problem) failed += 1;
  else passed += 1;
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  console.log(`${problem ? "FAILED" : "ok    "} ${journey.name} in ${visitor.name} (${seconds} s)`);
  if (problem) console.log(`        ${problem}`);
}

mkdirSync(PICTURES, { recursive: true });
const { dataDir, remove } = await makeDataFolder();
const port = await findFreePort();
const proxy = await openTcpProxy({ host: "127.0.0.1", port });
const url = `http://localhost:${proxy.port}`;
let isConnected = true;
const site: Site = {
  url,
  disconnect: async () => {
    await proxy.cut();
    isConnected = false;
  },
  reconnect: async () => {
    if (!isConnected) await proxy.restore();
    isConnected = true;
  },
};
try {
  const product = await startProduct({ PORT: String(port), DATA_DIR: dataDir, APP_URL: url });
  try {
    for (const { open, journeys, needs } of BROWSERS) {
      const visitor = await open();
      if (!visitor) {
        console.log(`skipped: not installed here (Debian: ${needs})`);
        continue;
      }
      for (const journey of journeys) await run(visitor, site, journey);
      await visitor.close();
    }
  } finally {
    await product.stop();
  }
} finally {
  await proxy.close();
  await remove();
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
