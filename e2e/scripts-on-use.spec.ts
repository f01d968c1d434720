import type { Page } from "@playwright/test";
import { measureFirstVisit } from "./first-visit.ts";
import { skipHydrationWait } from "./hydration.ts";
import { expect, test } from "./test.ts";
import { createBuyer } from "./users.ts";

const MAX_BYTES = 65 * 1024;

const isHydrated = (page: Page) =>
  page.evaluate(() => Object.keys(document.body).some((key) => key.startsWith("__reactProps")));
const countModules = (page: Page) =>
  page.evaluate(
    () =>
      performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")).length,
  );

test.beforeEach(({ page }) => skipHydrationWait(page));

for (const path of [
  "/help",
  "/how-it-works",
  "/rules",
  "/records",
  "/racing-tracks",
  "/tracks/kenilworth",
  "/top-analysts",
  "/leaderboard",
  "/results",
  "/search?q=the",
  "/terms-of-service",
  "/privacy",
])
  test(`a guest's first visit of ${path} loads no script and at most 65 KiB`, async ({ page }) => {
    const { scripts, total } = await measureFirstVisit(page, path);
    expect(scripts).toBe(0);
    expect(total).toBeLessThanOrEqual(MAX_BYTES);
  });

test.describe("an unknown address", () => {
  test.use({ expectedConsoleErrors: [/status of 404/] });
  test("loads no script", async ({ page }) => {
    const { scripts } = await measureFirstVisit(page, "/nothing-here");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(scripts).toBe(0);
  });
});

test("a guest reads on by links, also to a tipster, without a script", async ({ page }) => {
  await page.goto("/leaderboard");
  await page.getByRole("table").getByRole("rowheader").first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/tipsters\//);
  await page.waitForLoadState("networkidle");
  expect(await countModules(page)).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL("/leaderboard");
  expect(await countModules(page)).toBe(0);
});

test("a control that is touched, and a key, start the scripts", async ({ page }) => {
  await page.goto("/help");
  const search = page.getByRole("searchbox");
  await search.click();
  await expect.poll(() => isHydrated(page)).toBe(true);
  await search.fill("refund");
  await expect(page).toHaveURL("/help");
  await page.goto("/rules");
  await page.keyboard.press("Tab");
  await expect.poll(() => isHydrated(page)).toBe(true);
});

test("a page that shows how long it is to a race starts its scripts after a minute", async ({
  page,
}) => {
  await page.clock.install();
  for (const path of ["/racing-tracks", "/tracks/kenilworth", "/rules"]) {
    await page.goto(path);
    await page.clock.fastForward(30_000);
    expect(await isHydrated(page)).toBe(false);
    await page.clock.fastForward(30_000);
    if (path === "/rules") expect(await isHydrated(page)).toBe(false);
    else await expect.poll(() => isHydrated(page)).toBe(true);
  }
});

test("a filter that is changed before the scripts have come is applied by its button", async ({
  page,
}) => {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto("/leaderboard");
  await page.getByLabel("Ranked by").selectOption({ index: 1 });
  const order = await page.getByLabel("Ranked by").inputValue();
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(new RegExp(`order=${order}`));
  await expect(page.getByLabel("Ranked by")).toHaveValue(order);
  release();
});

test("a link to an answer opens it", async ({ page }) => {
  await page.goto("/help");
  const id = await page.locator("details[id]").first().getAttribute("id");
  await page.goto("/");
  await page.goto(`/help#${id}`);
  await expect(page.locator(`#${id}`)).toHaveAttribute("open");
});

test("the same page has its scripts for who is signed in", async ({ page }) => {
  await createBuyer(page);
  await page.goto("/rules");
  await expect.poll(() => isHydrated(page)).toBe(true);
});
