import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import type { Page } from "@playwright/test";
import { LIST_PATH } from "#ui/list-path.ts";
import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { expect, test } from "./test.ts";
import {
  confirmRacesRun,
  createBuyer,
  findLockedRaceCardOnHome,
  findUnopenedRaceCard,
  signIn,
} from "./users.ts";

test.use({
  serviceWorkers: "allow",
  expectedConsoleErrors: [
    /ERR_INTERNET_DISCONNECTED|Failed to (fetch|load resource)|Error loading route module/,
  ],
});

const MAX_RETURNING_BYTES = 60_000;
const balance = (page: Page) =>
  page
    .getByRole("banner")
    .getByText(/^\d+ coins?$/)
    .first();

/** Waits until the service worker controls the page. */
async function waitForServiceWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Returns the URLs in the browser's offline cache. */
function listOfflineCopies(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    if (!(await caches.has("copies"))) return [];
    const requests = await (await caches.open("copies")).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  });
}

/** Waits until the offline cache is empty. */
async function expectNoOfflineCopies(page: Page): Promise<void> {
  await expect(async () => expect(await listOfflineCopies(page)).toEqual([])).toPass();
}

/** Returns the URLs and contents of all browser caches as text. */
function readAllCaches(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts: string[] = [];
    for (const cacheName of await caches.keys()) {
      const cache = await caches.open(cacheName);
      for (const request of await cache.keys())
        texts.push(`${request.url}\n${await (await cache.match(request))?.text()}`);
    }
    return texts.join("\n");
  });
}

async function cacheUnlockedRaceCard(page: Page) {
  const buyer = await createBuyer(page);
  const path = `/race-cards/${buyer.opened.id}`;
  await page.goto(path);
  await waitForServiceWorker(page);
  await expect.poll(() => listOfflineCopies(page)).toContain(path);
  const { tips } = await (await page.request.post(`/api${path}/unlock`)).json();
  return { ...buyer, path, horse: tips[0].horseName as string };
}

test("an unlocked race card can be read offline, with the last known balance", async ({
  page,
  context,
}) => {
  const { path, horse } = await cacheUnlockedRaceCard(page);
  await expect(balance(page)).toBeVisible();
  await context.setOffline(true);

  await page.goto(path);
  await expect(page.getByText(horse).first()).toBeVisible();
  await expect(page.getByText(/^Saved copy from \d+ \w+/)).toBeVisible();
  await expect(balance(page)).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 320, 360);

  await context.setOffline(false);
  await expect(page.getByText(/^Saved copy from/)).toBeHidden();
  await expect(balance(page)).toBeVisible();
});

test("unlocked race cards are found offline from an uncached page and by a link", async ({
  page,
  context,
}) => {
  const { path, horse } = await cacheUnlockedRaceCard(page);
  await page.goto("/my-cards");
  await expect.poll(() => listOfflineCopies(page)).toContain("/my-cards");
  await page.goto("/");
  await context.setOffline(true);

  const banner = page.getByRole("banner");
  await banner.getByRole("link", { name: "My cards" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "My cards" })).toBeVisible();
  await expect(page.getByText(/^Saved copy from/)).toBeVisible();

  await context.setOffline(false);
  await page.goto(LIST_PATH);
  await context.setOffline(true);
  await page.getByRole("article").getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "Saved on this device" })).toBeVisible();
  await expect(page.locator(`a[href="${path}"]`)).toBeVisible();

  await page.goto("/leaderboard");
  await expect(page.getByRole("heading", { name: "No connection" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Try again" })).toHaveAttribute(
    "href",
    "/leaderboard",
  );
  await expectAccessibleInBothThemes(page);
  await page.locator(`a[href="${path}"]`).click();
  await expect(page.getByText(horse).first()).toBeVisible();
});

test("a race card is cached as soon as it is unlocked, from any page", async ({
  page,
  context,
}) => {
  await createBuyer(page);
  const { id, panel } = await findLockedRaceCardOnHome(page);
  await waitForServiceWorker(page);
  await panel.getByRole("button", { name: "Open race card" }).click();
  const unlocked = page.getByText("Unlocked", { exact: true });
  await confirmRacesRun(page, unlocked);
  await expect(unlocked).toBeVisible();
  await expect.poll(() => listOfflineCopies(page)).toContain(`/race-cards/${id}`);
  await context.setOffline(true);
  await page.goto(`/race-cards/${id}`);
  await expect(page.getByText("Unlocked", { exact: true })).toBeVisible();
});

test("locked race cards and guest pages are not cached", async ({ page, context }) => {
  const { path } = await cacheUnlockedRaceCard(page);
  const lockedRaceCard = await findUnopenedRaceCard(page);
  await page.goto(`/race-cards/${lockedRaceCard.id}`);
  await page.goto("/profile");
  await page.goto("/");
  await page.goto(path);
  await expect.poll(() => listOfflineCopies(page)).toContain(path);
  expect(await listOfflineCopies(page)).not.toContain(`/race-cards/${lockedRaceCard.id}`);
  expect(await listOfflineCopies(page)).not.toContain("/profile");
  expect(await listOfflineCopies(page)).not.toContain("/");
  await context.setOffline(true);
  await page.goto(`/race-cards/${lockedRaceCard.id}`);
  await expect(page.getByRole("heading", { name: "No connection" })).toBeVisible();
});

test("signing out clears the offline cache", async ({ page, context }) => {
  const { path, horse } = await cacheUnlockedRaceCard(page);
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "You have been logged out" })).toBeVisible();
  await expectNoOfflineCopies(page);
  await expect.poll(() => readAllCaches(page)).not.toContain(horse);
  await page.goto("/");
  await waitForServiceWorker(page);
  await context.setOffline(true);
  await page.goto(path);
  await expect(page.getByRole("heading", { name: "No connection" })).toBeVisible();
  await expect(page.getByText(horse)).toHaveCount(0);
});

test("signing out offline clears the offline cache", async ({ page, context }) => {
  await cacheUnlockedRaceCard(page);
  await context.setOffline(true);
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  await expectNoOfflineCopies(page);
});

test("an ended session or another user clears the offline cache", async ({ page }) => {
  const { horse } = await cacheUnlockedRaceCard(page);
  await page.context().clearCookies();
  await page.goto("/");
  await expectNoOfflineCopies(page);
  await expect.poll(() => readAllCaches(page)).not.toContain(horse);

  const { path } = await cacheUnlockedRaceCard(page);
  await signIn(page, "punter@furlong.test");
  await page.goto("/my-cards");
  await expect.poll(() => listOfflineCopies(page)).not.toContain(path);
});

test("a new release replaces cached files, and offline copies keep their styles", async ({
  page,
  context,
}) => {
  const { path, horse } = await cacheUnlockedRaceCard(page);
  const oldAsset = "/assets/of-the-previous-release.js";
  const listPrecachedPaths = () =>
    page.evaluate(async () => {
      const cacheName =
        (await caches.keys()).find((cacheName) => cacheName.includes("precache")) ?? "";
      const files = await (await caches.open(cacheName)).keys();
      return files.map(({ url }) => new URL(url).pathname);
    });
  expect(await listPrecachedPaths()).toContain("/offline");
  await page.evaluate(async (url) => {
    const cacheName =
      (await caches.keys()).find((cacheName) => cacheName.includes("precache")) ?? "";
    await (await caches.open(cacheName)).put(url, new Response("old"));
  }, oldAsset);
  expect(await listPrecachedPaths()).toContain(oldAsset);
  // The browser treats a changed script URL as a new version of the service worker.
  await page.evaluate(() => navigator.serviceWorker.register("/service-worker.js?next"));
  await expect.poll(listPrecachedPaths).not.toContain(oldAsset);
  expect(await listPrecachedPaths()).toContain("/offline");

  // The next release does not contain the files that the offline copy uses.
  await page.evaluate(async () => {
    for (const cacheName of await caches.keys())
      if (cacheName !== "copies") await caches.delete(cacheName);
  });
  expect((await listOfflineCopies(page)).some((requests) => requests.endsWith(".css"))).toBe(true);
  await context.setOffline(true);
  await page.goto(path);
  await expect(page.getByText(horse).first()).toBeVisible();
  await expect(page.getByText(/^Saved copy from/)).toBeVisible();
  expect(await page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0);
});

/** Starts a proxy to the server that counts response bytes. */
async function startCountingProxy(url: string) {
  let bytes = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), "127.0.0.1");
    upstream.on("data", (chunk) => {
      bytes += chunk.byteLength;
    });
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream])
      socket.on("error", () => {
        client.destroy();
        upstream.destroy();
      });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    bytes: () => bytes,
    close: () => server.close(),
  };
}

test("a race card transfers at most 60 kB to a returning visitor", async ({
  page,
  context,
  baseURL,
}) => {
  const { opened } = await createBuyer(page);
  const proxy = await startCountingProxy(baseURL ?? "");
  const path = `${proxy.url}/race-cards/${opened.id}`;
  await page.goto(path);
  await waitForServiceWorker(page);
  await expect.poll(() => listOfflineCopies(page)).toContain(`/race-cards/${opened.id}`);
  await page.close();

  const bytesBefore = proxy.bytes();
  const secondPage = await context.newPage();
  await secondPage.goto(path);
  await secondPage.waitForLoadState("load");
  await secondPage.getByText("Unlocked", { exact: true }).waitFor();
  const transferredBytes = proxy.bytes() - bytesBefore;
  test.info().annotations.push({ type: "transferred", description: `${transferredBytes} bytes` });

  expect(transferredBytes).toBeGreaterThan(0);
  expect(transferredBytes).toBeLessThanOrEqual(MAX_RETURNING_BYTES);
  proxy.close();
});

test("purchases and live events bypass the service worker", async ({ page }) => {
  await createBuyer(page);
  await page.goto("/?board=sales");
  await waitForServiceWorker(page);
  const eventStream = page.waitForResponse(/\/events\/leaderboard/);
  await page.reload();
  expect((await eventStream).headers()["content-type"]).toContain("text/event-stream");
  await page.goto("/buy-coins");
  await page.getByRole("button").filter({ hasText: "R40" }).first().click();
  await page.waitForURL(/\/demo\/checkout\//);
  await page.getByRole("button", { name: /^Pay R/ }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  await expect(balance(page)).toHaveText(/8 coins/);
});
