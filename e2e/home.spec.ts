import type { Page } from "@playwright/test";
import { expectAccessibleInBothThemes } from "./accessibility.ts";
import { expect, test } from "./test.ts";
import { cardOnSale, newReader, signIn } from "./users.ts";

// Accessibility checks of a whole page are slow.
test.describe.configure({ timeout: 240_000 });

const MAX_WEIGHT = 200_000;
const MAX_SCRIPT_WEIGHT = 150_000;

const list = (page: Page) => page.getByRole("region", { name: /^Race cards/ });
const dialog = (page: Page) => page.getByRole("dialog");

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "browsing" : "browsing without scripts", () => {
    test.use({ javaScriptEnabled });

    test("a venue filters the race cards, and Back shows all again", async ({ page }) => {
      const { venue } = await cardOnSale(page);
      await page.goto("/");
      const all = await list(page).getByRole("article").count();
      await page
        .getByRole("region", { name: "Racing Venues" })
        .getByRole("link", { name: venue, exact: true })
        .click();
      await expect(page).toHaveURL(/\?venue=/);
      await expect(list(page).getByRole("heading", { level: 2 })).toHaveText(
        `Race cards for ${venue}`,
      );
      const cards = list(page).getByRole("article");
      await expect(cards.first()).toBeVisible();
      for (const name of await cards.getByRole("heading", { level: 3 }).allTextContents())
        expect(name).toBe(venue);
      await expect(list(page).getByRole("heading", { level: 2 })).toBeInViewport();
      if (javaScriptEnabled)
        await expect(list(page).getByRole("heading", { level: 2 })).toBeFocused();
      await page.goBack();
      await expect(list(page).getByRole("article")).toHaveCount(all);
      await page.goForward();
      await page.getByRole("link", { name: "View All" }).click();
      await expect(page).toHaveURL("/");
    });
  });
}

test("a guest's first visit transfers at most 200 kB, of which at most 150 kB are scripts", async ({
  page,
  context,
}) => {
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  const types = new Map<string, string>();
  const weights = { all: 0, scripts: 0 };
  devtools.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    weights.all += encodedDataLength;
    if (types.get(requestId) === "Script") weights.scripts += encodedDataLength;
  });
  // Leaderboard updates from other purchases do not count.
  await page.route("**/events/leaderboard", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: ": nothing new\n\n" }),
  );
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await page.waitForTimeout(2_000);
  expect(weights.scripts).toBeLessThanOrEqual(MAX_SCRIPT_WEIGHT);
  expect(weights.all).toBeLessThanOrEqual(MAX_WEIGHT);
});

test("no script is fetched before the first paint", async ({ page }) => {
  const card = await cardOnSale(page);
  for (const path of ["/", `/race-cards/${card.id}`, "/tipster-auth"]) {
    await page.goto(path);
    const { firstScript, seen } = await page.evaluate(async () => {
      const scripts = () =>
        performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js"));
      while (scripts().length === 0) await new Promise(requestAnimationFrame);
      const [paint] = performance.getEntriesByName("first-contentful-paint");
      const [load] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      // Scripts load after a second even without a paint.
      const givenUp = (load?.domInteractive ?? 0) + 900;
      return {
        firstScript: Math.min(...scripts().map(({ startTime }) => startTime)),
        seen: Math.min(paint?.startTime ?? Number.POSITIVE_INFINITY, givenUp),
      };
    });
    expect(firstScript, path).toBeGreaterThanOrEqual(seen);
  }
});

test("home is accessible in both themes, for guests and users", async ({ page }) => {
  await page.goto("/");
  await expectAccessibleInBothThemes(page);
  await signIn(page, "punter@furlong.test");
  await page.goto("/");
  await expectAccessibleInBothThemes(page);
});

test("no page contains locked tips for a visitor who has not paid", async ({ page, request }) => {
  const reader = await newReader(page);
  const { tips } = await (
    await page.request.post(`/api/race-cards/${reader.opened.id}/unlock`)
  ).json();
  expect(tips.length).toBeGreaterThan(0);
  const addresses = ["", ".data"].map((end) => `/race-cards/${reader.opened.id}${end}`);
  for (const address of [...addresses, "/", "/_.data", `/unlock/${reader.opened.id}`]) {
    const text = await (await request.get(address)).text();
    for (const { horseName, analysis } of tips) {
      if (address.includes(reader.opened.id)) expect(text).not.toContain(horseName);
      expect(text).not.toContain(analysis);
    }
  }
});

test.describe("dialogs", () => {
  test("a tipster's dialog opens over the page, restores focus, and closes with Back", async ({
    page,
  }) => {
    await page.goto("/");
    const board = page.getByRole("region", { name: "Tipster Leaderboard" });
    const tipster = board.getByRole("link").nth(1);
    const name = (await tipster.textContent()) ?? "";
    await tipster.click();
    await expect(dialog(page).getByRole("heading", { name: "Record by type" })).toBeVisible();
    await expect(dialog(page)).toContainText(name);
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
    await expect(tipster).toBeFocused();
    await expect(page).toHaveURL("/");

    await tipster.click();
    await expect(dialog(page)).toBeVisible();
    await page.goBack();
    await expect(dialog(page)).toHaveCount(0);
    await tipster.click();
    await dialog(page).getByRole("link", { name: "See full record" }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expectAccessibleInBothThemes(page);
  });

  test("Back returns to the first step, and Close returns to the page", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Open race card" }).first().click();
    await dialog(page).getByRole("link", { name: "Unlock this race card" }).click();
    await expect(dialog(page).getByLabel("Full Name")).toBeVisible();
    await page.goBack();
    await dialog(page).getByRole("link", { name: "Unlock this race card" }).click();
    await expect(dialog(page).getByLabel("Full Name")).toBeVisible();
    await dialog(page).getByRole("button", { name: "Close" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL("/");
  });

  test("a guest signs in in the dialog and stays on the page", async ({ page }) => {
    await page.goto("/?venue=kenilworth");
    await page.getByRole("banner").getByRole("link", { name: "Login" }).click();
    await expectAccessibleInBothThemes(page);
    await dialog(page).getByRole("link", { name: "Create one" }).click();
    await expect(dialog(page).getByLabel("Full Name")).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await dialog(page).getByRole("link", { name: "Log in" }).click();
    await dialog(page).getByLabel("Email").fill("punter@furlong.test");
    await dialog(page).locator("input[name=password]").fill("furlong-demo");
    await dialog(page).getByRole("button", { name: "Log In" }).click();
    await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toHaveCount(0);
    await expect(dialog(page)).toHaveCount(0, { timeout: 8_000 });
    await expect(page).toHaveURL("/?venue=kenilworth");
  });

  test("the profile dialog opens from the name and links to the statement", async ({ page }) => {
    await signIn(page, "punter@furlong.test");
    await page.goto("/");
    await page
      .getByRole("banner")
      .getByTitle(/your profile/)
      .click();
    await expect(dialog(page).getByText("punter@furlong.test")).toBeVisible();
    await expect(dialog(page).getByRole("heading", { name: "Recent purchases" })).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await dialog(page).getByRole("link", { name: "Full statement and account settings" }).click();
    await expect(page.getByRole("heading", { name: "Statement" })).toBeVisible();
  });

  test("a URL that names a dialog opens it", async ({ page }) => {
    await signIn(page, "punter@furlong.test");
    await page.goto("/?buy-coins");
    await expect(dialog(page).getByRole("heading", { name: "Buy Coins" })).toBeVisible();
    await dialog(page).getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL("/");
  });
});

test.describe("the leaderboard", () => {
  test("updates after a sale in every tab over one event stream", async ({ page, context }) => {
    const reader = await newReader(page);
    const streams: string[] = [];
    context.on("request", (request) => {
      if (request.url().endsWith("/events/leaderboard")) streams.push(request.url());
    });
    await page.goto("/");
    const other = await context.newPage();
    await other.goto("/");
    await expect.poll(() => streams.length).toBe(1);
    const board = await (await page.request.get("/api/leaderboard")).json();
    const top: string[] = board.leaderboard.slice(0, 5).map((each: { name: string }) => each.name);
    const { id, tipster } = await cardOnSale(
      page,
      (card) => card.id !== reader.opened.id && top.includes(card.tipster),
    );
    const row = (tab: Page) =>
      tab
        .getByRole("region", { name: "Tipster Leaderboard" })
        .getByRole("listitem")
        .filter({ hasText: tipster });
    const before = await row(other).textContent();
    await page.request.post(`/api/race-cards/${id}/unlock`);
    await other.bringToFront();
    await expect(row(other)).not.toHaveText(before ?? "", { timeout: 15_000 });
    await page.bringToFront();
    await expect(row(page)).not.toHaveText(before ?? "", { timeout: 35_000 });
    expect(streams).toHaveLength(1);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });

  test("nothing scrolls horizontally except carousels, and the menu works", async ({ page }) => {
    await signIn(page, "punter@furlong.test");
    for (const path of ["/", "/profile", "/my-cards"]) {
      await page.goto(path);
      const { width, room } = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        room: document.documentElement.clientWidth,
      }));
      expect(width, path).toBeLessThanOrEqual(room);
    }
    const menu = page.getByRole("banner").getByLabel("Menu").first();
    await menu.click();
    await page.getByRole("banner").getByRole("link", { name: "My cards" }).press("Escape");
    await expect(menu).toBeFocused();
    await menu.click();
    await page.getByRole("banner").getByRole("link", { name: "Race cards" }).click();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("banner").getByRole("link", { name: "Race cards" })).toBeHidden();
  });
});

test.describe("without a connection", () => {
  test.use({ expectedComplaints: [/ERR_INTERNET_DISCONNECTED|Failed to (fetch|load resource)/] });

  test("the page shows a message, and a failed unlock costs nothing", async ({ page, context }) => {
    await newReader(page);
    const { id } = await cardOnSale(page);
    // Toasts and dialogs are fetched when the page is idle.
    const spares = page.waitForResponse(/toast-region/);
    await page.goto(`/race-cards/${id}`);
    await spares;
    await context.setOffline(true);
    await expect(page.getByText("You're offline. This page may be out of date.")).toBeVisible();
    await page.getByRole("button", { name: "Open race card" }).click();
    await expect(page.getByText("Nothing was sent. No coins were spent.")).toBeVisible();
    await context.setOffline(false);
    await page.getByRole("button", { name: "Open race card" }).click();
    await expect(page.getByText("Unlocked", { exact: true })).toBeVisible();
    await expect(page.getByRole("banner").getByText("0 coins").first()).toBeVisible();
  });

  test("a dialog that fails to load keeps the page, and can be retried", async ({
    page,
    context,
  }) => {
    await page.goto("/");
    // Shown after hydration.
    await expect(page.getByRole("button", { name: "Next slide" })).toBeVisible();
    await context.setOffline(true);
    await expect(page.getByText("You're offline. This page may be out of date.")).toBeVisible();
    await page.getByRole("link", { name: "Login" }).click();
    const fault = page.getByRole("region", { name: "We couldn't load this" });
    await expect(fault).toBeVisible();
    await expect(list(page)).toBeVisible();
    await context.setOffline(false);
    await fault.getByRole("button", { name: "Try again" }).click();
    await expect(dialog(page).getByLabel("Email")).toBeVisible();
  });
});

test.describe("after a new release", () => {
  test.use({ expectedComplaints: [/status of 404/] });

  test("a dialog opens as a page when its script no longer exists", async ({ page }) => {
    await signIn(page, "punter@furlong.test");
    const gone = /buy-coins-dialog/;
    await page.route(gone, (route) => route.fulfill({ status: 404 }));
    await page.goto("/?buy-coins");
    await expect(dialog(page).getByText("We couldn't load this")).toBeVisible();
    await page.unroute(gone);
    await dialog(page).getByRole("button", { name: "Try again" }).click();
    await expect(dialog(page).getByRole("heading", { name: "Horse Chestnut" })).toBeVisible();
  });
});

test.describe("an unknown URL", () => {
  test.use({ expectedComplaints: [/status of 404/] });

  test("shows a 404 page with a link home", async ({ page }) => {
    for (const path of ["/nowhere", "/race-cards/nothing", "/tipsters/nobody"]) {
      const answer = await page.goto(path);
      expect(answer?.status(), path).toBe(404);
      await expect(
        page.getByRole("heading", { name: "Oops! This track doesn't exist" }),
      ).toBeVisible();
    }
    await expectAccessibleInBothThemes(page);
    await page.getByRole("link", { name: "Return to Home" }).click();
    await expect(page).toHaveURL("/");
  });
});

test("the first Tab press shows the skip link", async ({ page }) => {
  await page.goto("/help");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});
