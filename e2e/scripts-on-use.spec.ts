import type { Page } from "@playwright/test";
import { currentTime } from "./clock.ts";
import { measureFirstVisit } from "./first-visit.ts";
import { skipHydrationWait } from "./hydration.ts";
import { expect, test } from "./test.ts";
import { createBuyer, findUnopenedRaceCard } from "./users.ts";

const MAX_BYTES = 65 * 1024;
const MAX_BYTES_OF_LIST = 90 * 1024;

const isHydrated = (page: Page) =>
  page.evaluate(() => Object.keys(document.body).some((key) => key.startsWith("__reactProps")));

/** Returns the list of scripts, to which each request of the page adds one. */
function listRequestedScripts(page: Page): string[] {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  return scripts;
}

/** Holds the scripts of the page back and returns the function that lets them go. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

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
  "/proof",
  "/contact",
  "/login",
  "/login?mode=register",
  "/forgot-password",
  "/resend-confirmation",
  "/tipster-auth",
  "/admin/sign-in",
])
  test(`a guest's first visit of ${path} loads no script and at most 65 KiB`, async ({ page }) => {
    const { scripts, total } = await measureFirstVisit(page, path);
    expect(scripts).toBe(0);
    expect(total).toBeLessThanOrEqual(MAX_BYTES);
  });

test("a guest's first visits of home and of a race card load no script and at most 90 KiB", async ({
  page,
}) => {
  const raceCard = await findUnopenedRaceCard(page);
  for (const path of ["/", `/race-cards/${raceCard.id}`]) {
    const { scripts, total } = await measureFirstVisit(page, path);
    expect(scripts, path).toBe(0);
    expect(total, path).toBeLessThanOrEqual(MAX_BYTES_OF_LIST);
  }
});

test("from home to a race card and its purchase, without a script before the purchase, and back", async ({
  page,
}) => {
  const scripts = listRequestedScripts(page);
  await page.goto("/");
  const row = page.getByRole("article").last();
  await row.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/race-cards\//);
  await page.waitForLoadState("networkidle");
  expect(scripts).toEqual([]);
  await page.getByRole("link", { name: "Open race card" }).click();
  await expect(page).toHaveURL(/\/unlock\//);
  await expect(page.getByLabel("Email")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("link", { name: "Open race card" })).toBeVisible();
});

for (const [path, how] of [
  ["/", "in another tab"],
  ["/help", "in another tab"],
  ["/help", "before Back"],
] as const)
  test(`${path}, opened by a guest who signs in ${how}, shows the user when it is shown again`, async ({
    context,
    page,
  }) => {
    await page.goto(path, { waitUntil: "networkidle" });
    const login = page.getByRole("banner").getByRole("link", { name: "Login" });
    await expect(login).toBeVisible();
    await createBuyer(page);
    const other = how === "before Back" ? page : await context.newPage();
    await other.goto("/my-cards");
    await expect.poll(() => isHydrated(other)).toBe(true);
    if (how === "before Back") await page.goBack();
    else
      await page.evaluate(() =>
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true })),
      );
    await expect(login).toBeHidden();
    await expect(page.getByRole("banner").getByTitle("Nandi Khumalo: your profile")).toBeVisible();
  });

/** Makes the countdowns that home arrives with end in half an hour, at whatever time the test runs. */
async function openHomeBeforeOff(page: Page): Promise<void> {
  await page.clock.install({ time: currentTime() });
  await page.route("/", async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replaceAll(/(datetime="PT)\d+/gi, "$11800") });
  });
  await page.goto("/", { waitUntil: "networkidle" });
}

test("a countdown runs without a script, and its off starts the scripts", async ({ page }) => {
  const scripts = listRequestedScripts(page);
  await openHomeBeforeOff(page);
  const countdown = page.locator('main time[datetime="PT1800S"]').first();
  await page.clock.fastForward(1_770_000);
  await expect(countdown).toHaveText(/^0:[0-3]\d$/);
  await page.waitForLoadState("networkidle");
  expect(scripts).toEqual([]);
  await page.clock.fastForward(31_000);
  await expect.poll(() => isHydrated(page)).toBe(true);
});

/** Counts how often a page asks whether the server is ready, which it does before it loads again. */
function countReloadAttempts(page: Page): () => number {
  let attempts = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/health/ready")) attempts += 1;
  });
  return () => attempts;
}

/**
 * Waits until a page that was loaded again has been shown, when it would ask to load once more. Not until the network is
 * idle: the requests that the page before left behind may never end.
 */
async function waitUntilShown(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await page.evaluate(() => new Promise(requestAnimationFrame));
}

test("home loads again when it is shown again after a minute and a half, still without a script", async ({
  page,
}) => {
  const scripts = listRequestedScripts(page);
  await openHomeBeforeOff(page);
  let loads = 0;
  page.on("domcontentloaded", () => {
    loads += 1;
  });
  const countAttempts = countReloadAttempts(page);
  const showAgain = () =>
    page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await page.clock.fastForward(60_000);
  await showAgain();
  await page.waitForLoadState("networkidle");
  expect(loads).toBe(0);
  await page.clock.fastForward(40_000);
  await showAgain();
  await expect.poll(() => loads).toBe(1);
  await waitUntilShown(page);
  expect([loads, countAttempts()]).toEqual([1, 1]);
  expect(scripts).toEqual([]);
});

test("Back shows home as it is now, not a stored copy", async ({ page }) => {
  await page.goto("/", { waitUntil: "networkidle" });
  await page.goto("/help", { waitUntil: "networkidle" });
  let loads = 0;
  page.on("domcontentloaded", () => {
    loads += 1;
  });
  const countAttempts = countReloadAttempts(page);
  await page.goBack();
  // The stored copy, and then the page of now.
  await expect.poll(() => loads).toBe(2);
  await waitUntilShown(page);
  expect([loads, countAttempts()]).toEqual([2, 1]);
  await expect(page.getByRole("article").first()).toBeVisible();
});

for (const reducedMotion of ["no-preference", "reduce"] as const)
  test(`the carousel moves on after five seconds unless motion is reduced (${reducedMotion})`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion });
    await openHomeBeforeOff(page);
    const carousel = page.getByRole("region", { name: "How Furlong works" });
    const pause = carousel.getByRole("button", { name: "Pause slides" });
    const second = carousel.getByRole("button", { name: /^Show slide 2/ });
    await page.clock.runFor(5_100);
    if (reducedMotion === "reduce") {
      await expect(pause).toBeHidden();
      // A slide is shown without an animation then, so that it would stand there at once.
      expect(
        await carousel
          .getByRole("list")
          .first()
          .evaluate((list) => list.scrollLeft),
      ).toBe(0);
      await expect(second).toHaveAttribute("aria-current", "false");
    } else {
      await expect(second).toHaveAttribute("aria-current", "true");
    }
  });

test("the carousel's controls work without the scripts", async ({ page }) => {
  const scripts = listRequestedScripts(page);
  await page.goto("/");
  const carousel = page.getByRole("region", { name: "How Furlong works" });
  const slides = carousel.getByRole("list").first();
  const readSlide = () =>
    slides.evaluate(({ scrollLeft, clientWidth }) => scrollLeft / clientWidth);
  await carousel.getByRole("button", { name: "Pause slides" }).click();
  await carousel.getByRole("button", { name: "Next slide" }).click();
  await expect.poll(readSlide).toBe(1);
  await expect(carousel.getByRole("button", { name: /^Show slide 2/ })).toHaveAttribute(
    "aria-current",
    "true",
  );
  await carousel.getByRole("button", { name: "Play slides" }).click();
  await expect(carousel.getByRole("button", { name: "Pause slides" })).toBeVisible();
  expect(scripts).toEqual([]);
});

test("menus open without a script, close on a press outside, and stay open when the scripts start", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const scripts = listRequestedScripts(page);
  await page.goto("/");
  const chips = page.getByRole("navigation", { name: "Select race cards" }).locator("details");
  for (const menu of [page.locator("header details"), chips.last()]) {
    await menu.locator("summary").click();
    await expect(menu).toHaveAttribute("open");
    await page.mouse.click(5, 5);
    await expect(menu).not.toHaveAttribute("open");
    await menu.locator("summary").click();
    await page.keyboard.press("Escape");
    await expect(menu).not.toHaveAttribute("open");
  }
  await page.waitForLoadState("networkidle");
  expect(scripts).toEqual([]);
  await chips.last().locator("summary").click();
  await page.keyboard.press("Shift");
  await expect.poll(() => isHydrated(page)).toBe(true);
  await expect(chips.last()).toHaveAttribute("open");
  await page.keyboard.press("Escape");
  await expect(chips.last()).not.toHaveAttribute("open");
  await expect(chips.last().locator("summary")).toBeFocused();
});

test.describe("an unknown address", () => {
  test.use({ expectedConsoleErrors: [/status of 404/] });
  test("loads no script", async ({ page }) => {
    const { scripts } = await measureFirstVisit(page, "/nothing-here");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(scripts).toBe(0);
  });
});

test("links lead on before any script has started, also to a tipster and back", async ({
  page,
}) => {
  const scripts = listRequestedScripts(page);
  await page.goto("/leaderboard");
  await page.getByRole("table").getByRole("rowheader").first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/tipsters\//);
  await page.goBack({ waitUntil: "networkidle" });
  await expect(page).toHaveURL("/leaderboard");
  expect(scripts).toEqual([]);
});

test("a key and a control start the scripts", async ({ page }) => {
  await page.goto("/rules");
  await page.keyboard.press("Shift");
  await expect.poll(() => isHydrated(page)).toBe(true);
  await page.goto("/leaderboard");
  expect(await isHydrated(page)).toBe(false);
  await page.getByLabel("Ranked by").focus();
  await expect.poll(() => isHydrated(page)).toBe(true);
});

test("an answer opens without a script", async ({ page }) => {
  const scripts = listRequestedScripts(page);
  await page.goto("/help");
  const answer = page.locator("main details").first();
  await answer.locator("summary").click();
  await expect(answer).toHaveAttribute("open");
  await page.waitForLoadState("networkidle");
  expect(scripts).toEqual([]);
});

test("what is typed before the scripts start is searched for", async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto("/help");
  await page.getByRole("searchbox").fill("refund");
  release();
  await expect(page.getByRole("status").filter({ hasText: 'for "refund"' })).toBeVisible();
});

test("a button that is pressed before the scripts start does its work once they run", async ({
  page,
}) => {
  const release = await holdScripts(page);
  await page.goto("/proof");
  const button = page.getByRole("button", { name: /^Check this day/ }).nth(1);
  await button.click();
  await expect(button).toHaveAttribute("aria-busy", "true");
  release();
  await expect(page.getByText(/Nothing wrong found\.$/)).toBeVisible();
  await expect(button).not.toHaveAttribute("aria-busy");
});

test.describe("scripts that cannot be loaded", () => {
  test.use({ expectedConsoleErrors: [/ERR_FAILED|Failed to fetch dynamically imported/] });

  for (const missing of ["every module", "the entry"])
    test(`a button says that they are missing: ${missing}`, async ({ page }) => {
      await page.route(missing === "the entry" ? "**/entry.client-*.js" : "**/*.js", (route) =>
        route.abort(),
      );
      await page.goto("/proof");
      const button = page.getByRole("button", { name: /^Check this day/ }).nth(1);
      const notice = page.getByRole("alert");
      for (const _ of ["first press", "second press"]) {
        await button.click();
        await expect(notice).toHaveText(/^We couldn't load this\. Check your connection/);
        await expect(button).not.toHaveAttribute("aria-busy");
      }
    });
});

test.describe("the contact form", () => {
  // No mail program is installed here.
  test.use({ expectedConsoleErrors: [/Failed to launch 'mailto:/] });

  for (const how of ["the button", "Enter"])
    test(`a message that is sent with ${how} before the scripts start is kept and then opened`, async ({
      page,
    }) => {
      const release = await holdScripts(page);
      await page.goto("/contact");
      await page.getByLabel("Email").fill("thandi@example.test");
      await page.getByRole("textbox", { name: "Message" }).fill("I paid R40 and see no coins.");
      await page.getByLabel("Name").fill("Thandi");
      if (how === "Enter") await page.getByLabel("Name").press("Enter");
      else await page.getByRole("button", { name: "Open in my email app" }).click();
      await expect(page).toHaveURL("/contact");
      release();
      await expect(page.getByLabel("Text to copy")).toHaveValue(/I paid R40 and see no coins/);
      await expect(page.getByText(/^28 \/ \d+$/)).toBeVisible();
      await expect(page.getByLabel("Name")).toHaveValue("Thandi");
    });
});

test("a page that shows the next race starts its scripts after a minute, and shows the one after it", async ({
  page,
}) => {
  await page.clock.install();
  const scripts = listRequestedScripts(page);
  await page.goto("/racing-tracks", { waitUntil: "networkidle" });
  const nextRace = page.getByText(/^Race \d+ of \d+ off at/).first();
  const before = await nextRace.textContent();
  await page.clock.fastForward(30_000);
  await page.waitForLoadState("networkidle");
  expect(scripts).toEqual([]);
  await page.clock.fastForward("06:00:00");
  await expect(page.getByText(before ?? "", { exact: true })).toHaveCount(0);
});

test.describe("a refused login", () => {
  test.use({ expectedConsoleErrors: [/status of 401/] });
  test("what is typed before the scripts start is kept, and a form sent before is answered", async ({
    page,
  }) => {
    const release = await holdScripts(page);
    await page.goto("/login");
    await page.getByLabel("Email").fill("punter@furlong.test");
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.getByRole("button", { name: "Log In" }).click();
    await expect(page.getByText("Authentication Failed")).toBeVisible();
    await expect(page.getByLabel("Email")).toHaveValue("punter@furlong.test");
    await page.getByLabel("Password", { exact: true }).fill("not the password either");
    release();
    await expect.poll(() => isHydrated(page)).toBe(true);
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue(
      "not the password either",
    );
  });
});

test("a filter that is changed before the scripts start is applied by its button", async ({
  page,
}) => {
  const release = await holdScripts(page);
  await page.goto("/leaderboard");
  await page.getByLabel("Ranked by").selectOption({ index: 1 });
  const order = await page.getByLabel("Ranked by").inputValue();
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(new RegExp(`order=${order}`));
  await expect(page.getByLabel("Ranked by")).toHaveValue(order);
  release();
});

test("an address that asks for an answer or a dialog shows it", async ({ page }) => {
  await page.goto("/help");
  const id = await page.locator("details[id]").first().getAttribute("id");
  await page.goto("/");
  await page.goto(`/help#${id}`);
  await expect(page.locator(`#${id}`)).toHaveAttribute("open");
  await page.goto("/leaderboard?account=sign-in");
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("a reload that interrupted a navigation starts the scripts, which go on to its page", async ({
  page,
}) => {
  await page.goto("/rules");
  await page.evaluate(() => sessionStorage.setItem("furlong-next-page", "/help"));
  await page.reload();
  await expect(page).toHaveURL("/help");
});

test("the same page has its scripts for a signed-in user", async ({ page }) => {
  await createBuyer(page);
  await page.goto("/rules");
  await expect.poll(() => isHydrated(page)).toBe(true);
});
