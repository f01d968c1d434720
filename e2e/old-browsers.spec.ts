import type { Page } from "@playwright/test";
import { LIST_PATH } from "#ui/list-path.ts";
import { expect, test } from "./test.ts";
import { signIn } from "./users.ts";

/**
 * Removes the feature by whose absence the application detects unsupported browsers. Returns the
 * URLs of all scripts that the page requests from then on.
 */
async function makeUnsupported(page: Page): Promise<string[]> {
  await page.addInitScript(() => Reflect.deleteProperty(window, "CompressionStream"));
  const scriptUrls: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scriptUrls.push(request.url());
  });
  return scriptUrls;
}

test("an unsupported browser gets the pages without JavaScript", async ({ page }) => {
  const scriptUrls = await makeUnsupported(page);
  await page.goto("/login?return=buy-coins", { waitUntil: "load" });
  await page.getByLabel("Email").fill("punter@furlong.test");
  await page.locator("input[name=password]").fill("furlong-demo");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page).toHaveURL("/buy-coins");
  const isHydrated = await page.evaluate(() =>
    Object.keys(document.body).some((key) => key.startsWith("__react")),
  );
  expect(isHydrated).toBe(false);
  expect(scriptUrls).toEqual([]);
  await page.getByRole("button", { name: /Horse Chestnut/ }).click();
  await page.waitForURL(/\/demo\/checkout\//);
});

test("an unsupported browser shows the content for browsers without JavaScript", async ({
  page,
}) => {
  const scriptUrls = await makeUnsupported(page);
  await signIn(page, "tipster@furlong.test");
  await page.goto("/tipster-dashboard/add");
  await expect(page.getByText(/^Start with/)).toBeVisible();
  // Supported browsers start the scripts at most 1 s after loading.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_500)));
  expect(scriptUrls).toEqual([]);
});

test("an unsupported browser offers no button that needs JavaScript", async ({ page }) => {
  await makeUnsupported(page);
  for (const [path, name] of [
    ["/proof", /^Check this day/],
    ["/contact", "Open in my email app"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("button", { name }).first()).toBeDisabled();
  }
});

test("no SVG is larger than 310 pixels when styles fail to load", async ({ page }) => {
  await page.route(/\.css$/, (route) => route.abort());
  await signIn(page, "punter@furlong.test");
  for (const path of [
    LIST_PATH,
    "/my-day",
    "/leaderboard",
    "/profile",
    "/racing-tracks",
    "/offline",
  ]) {
    await page.goto(path);
    const oversized = await page.locator("svg").evaluateAll((svgs) =>
      svgs
        .map((svg) => ({ box: svg.getBoundingClientRect(), html: svg.outerHTML }))
        .filter(({ box }) => box.width > 310 || box.height > 310)
        .map(({ html }) => html.slice(0, 120)),
    );
    expect(oversized, path).toEqual([]);
  }
});
test.use({ expectedConsoleErrors: [/Failed to load resource|ERR_FAILED/] });
