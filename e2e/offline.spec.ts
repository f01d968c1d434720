import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import type { Page } from "@playwright/test";
import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { expect, test } from "./test.ts";
import { cardOnSale, newReader, signIn } from "./users.ts";

test.use({
  serviceWorkers: "allow",
  expectedComplaints: [
    /ERR_INTERNET_DISCONNECTED|Failed to (fetch|load resource)|Error loading route module/,
  ],
});

const MAX_RETURNING_WEIGHT = 60_000;
const balance = (page: Page) =>
  page
    .getByRole("banner")
    .getByText(/^\d+ coins?$/)
    .first();

/** Waits until the service worker controls the page. */
async function worked(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Returns the URLs in the browser's offline cache. */
function copies(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    if (!(await caches.has("copies"))) return [];
    const kept = await (await caches.open("copies")).keys();
    return kept.map(({ url }) => new URL(url).pathname);
  });
}

/** Waits until the offline cache is empty. */
async function expectNoCopies(page: Page): Promise<void> {
  await expect(async () => expect(await copies(page)).toEqual([])).toPass({ timeout: 20_000 });
}

/** Returns the contents of all browser caches as text. */
function allKept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys())
        texts.push(`${request.url}\n${await (await cache.match(request))?.text()}`);
    }
    return texts.join("\n");
  });
}

async function keepOpenedCard(page: Page) {
  const reader = await newReader(page);
  const path = `/race-cards/${reader.opened.id}`;
  await page.goto(path);
  await worked(page);
  await expect.poll(() => copies(page)).toContain(path);
  const { tips } = await (await page.request.post(`/api${path}/unlock`)).json();
  return { ...reader, path, horse: tips[0].horseName as string };
}

test("an unlocked race card can be read offline, with the last known balance", async ({
  page,
  context,
}) => {
  const { path, horse } = await keepOpenedCard(page);
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
  const { path, horse } = await keepOpenedCard(page);
  await page.goto("/my-cards");
  await expect.poll(() => copies(page)).toContain("/my-cards");
  await page.goto("/");
  await context.setOffline(true);

  const banner = page.getByRole("banner");
  await banner.getByRole("link", { name: "My cards" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "My cards" })).toBeVisible();
  await expect(page.getByText(/^Saved copy from/)).toBeVisible();

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
  await newReader(page);
  await page.goto("/");
  await worked(page);
  const { id } = await cardOnSale(page);
  const panel = page
    .getByRole("article")
    .filter({ has: page.locator(`a[href="/race-cards/${id}"]`) });
  await panel.getByRole("button", { name: "Open race card" }).click();
  await expect(panel.getByText("Unlocked").first()).toBeVisible();
  await expect.poll(() => copies(page)).toContain(`/race-cards/${id}`);
  await context.setOffline(true);
  await page.goto(`/race-cards/${id}`);
  await expect(page.getByText("Unlocked").first()).toBeVisible();
});

test("locked race cards and guest pages are not cached", async ({ page, context }) => {
  const { path } = await keepOpenedCard(page);
  const locked = await cardOnSale(page);
  await page.goto(`/race-cards/${locked.id}`);
  await page.goto("/profile");
  await page.goto("/");
  await page.goto(path);
  await expect.poll(() => copies(page)).toContain(path);
  expect(await copies(page)).not.toContain(`/race-cards/${locked.id}`);
  expect(await copies(page)).not.toContain("/profile");
  expect(await copies(page)).not.toContain("/");
  await context.setOffline(true);
  await page.goto(`/race-cards/${locked.id}`);
  await expect(page.getByRole("heading", { name: "No connection" })).toBeVisible();
});

test("signing out clears the offline cache", async ({ page, context }) => {
  const { path, horse } = await keepOpenedCard(page);
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "You have been logged out" })).toBeVisible();
  await expectNoCopies(page);
  await expect.poll(() => allKept(page)).not.toContain(horse);
  await page.goto("/");
  await worked(page);
  await context.setOffline(true);
  await page.goto(path);
  await expect(page.getByRole("heading", { name: "No connection" })).toBeVisible();
  await expect(page.getByText(horse)).toHaveCount(0);
});

test("signing out offline clears the offline cache", async ({ page, context }) => {
  await keepOpenedCard(page);
  await context.setOffline(true);
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  await expectNoCopies(page);
});

test("an ended session or another user clears the offline cache", async ({ page }) => {
  const { horse } = await keepOpenedCard(page);
  await page.context().clearCookies();
  await page.goto("/");
  await expectNoCopies(page);
  await expect.poll(() => allKept(page)).not.toContain(horse);

  const { path } = await keepOpenedCard(page);
  await signIn(page, "punter@furlong.test");
  await page.goto("/my-cards");
  await expect.poll(() => copies(page)).not.toContain(path);
});

test("a new release replaces cached files, and offline copies keep their styles", async ({
  page,
  context,
}) => {
  const { path, horse } = await keepOpenedCard(page);
  const old = "/assets/of-the-release-before.js";
  const shell = () =>
    page.evaluate(async () => {
      const name = (await caches.keys()).find((each) => each.includes("precache")) ?? "";
      const files = await (await caches.open(name)).keys();
      return files.map(({ url }) => new URL(url).pathname);
    });
  expect(await shell()).toContain("/offline");
  await page.evaluate(async (url) => {
    const name = (await caches.keys()).find((each) => each.includes("precache")) ?? "";
    await (await caches.open(name)).put(url, new Response("old"));
  }, old);
  expect(await shell()).toContain(old);
  // The browser treats a changed script URL as a new version of the service worker.
  await page.evaluate(() => navigator.serviceWorker.register("/service-worker.js?next"));
  await expect.poll(shell).not.toContain(old);
  expect(await shell()).toContain("/offline");

  // The next release does not contain the files that the offline copy uses.
  await page.evaluate(async () => {
    for (const name of await caches.keys()) if (name !== "copies") await caches.delete(name);
  });
  expect((await copies(page)).some((kept) => kept.endsWith(".css"))).toBe(true);
  await context.setOffline(true);
  await page.goto(path);
  await expect(page.getByText(horse).first()).toBeVisible();
  await expect(page.getByText(/^Saved copy from/)).toBeVisible();
  expect(await page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0);
});

/** Starts a proxy to the server that counts response bytes. */
async function countingAddress(url: string) {
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

test("a race card weighs at most 60 kB for a returning visitor", async ({
  page,
  context,
  baseURL,
}) => {
  const { opened } = await newReader(page);
  const counted = await countingAddress(baseURL ?? "");
  const path = `${counted.url}/race-cards/${opened.id}`;
  await page.goto(path);
  await worked(page);
  await expect.poll(() => copies(page)).toContain(`/race-cards/${opened.id}`);
  await page.close();

  const before = counted.bytes();
  const returning = await context.newPage();
  await returning.goto(path);
  await returning.waitForLoadState("load");
  await returning.getByText("Unlocked").first().waitFor();
  const weight = counted.bytes() - before;
  test.info().annotations.push({ type: "weight", description: `${weight} bytes` });

  expect(weight).toBeGreaterThan(0);
  expect(weight).toBeLessThanOrEqual(MAX_RETURNING_WEIGHT);
  counted.close();
});

test("purchases and live events bypass the service worker", async ({ page }) => {
  await newReader(page);
  await page.goto("/");
  await worked(page);
  const stream = page.waitForResponse(/\/events\/leaderboard/);
  await page.reload();
  expect((await stream).headers()["content-type"]).toContain("text/event-stream");
  await page.goto("/buy-coins");
  await page.getByRole("button").filter({ hasText: "R40" }).first().click();
  await page.waitForURL(/\/demo\/checkout\//);
  await page.getByRole("button", { name: /^Pay R/ }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  await expect(balance(page)).toHaveText(/8 coins/);
});
