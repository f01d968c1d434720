import type { Page } from "@playwright/test";

/** Opens a page on a phone and returns the bytes that were transferred until the network was idle. */
export async function measureFirstVisit(
  page: Page,
  path: string,
): Promise<{ total: number; scripts: number }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  const types = new Map<string, string>();
  const bytes = { total: 0, scripts: 0 };
  devtools.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes.total += encodedDataLength;
    if (types.get(requestId) === "Script") bytes.scripts += encodedDataLength;
  });
  // Leaderboard updates from other purchases do not count.
  await page.route("**/events/leaderboard", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: ": nothing new\n\n" }),
  );
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(path, { waitUntil: "networkidle" });
  return bytes;
}
