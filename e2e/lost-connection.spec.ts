import type { Page } from "@playwright/test";
import { daysFromToday } from "./clock.ts";
import { skipHydrationWait } from "./hydration.ts";
import { expect, test } from "./test.ts";
import { createBuyer, createUniqueNumber, findUnopenedRaceCard, signIn } from "./users.ts";

test.use({
  expectedConsoleErrors: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to (fetch|load resource)/],
});

const findNotice = (page: Page) =>
  page.getByRole("status").filter({ hasText: /connection|online/i });

async function fillGuestForm(page: Page, email: string): Promise<void> {
  await page.getByLabel("Full Name").fill("Sizwe Ndlovu");
  await page.getByLabel("Email").fill(email);
  await page.locator("input[name=password]").fill("a long shot");
  await page.getByRole("checkbox").check();
}

async function expectGuestForm(page: Page, email: string): Promise<void> {
  await expect(page.getByLabel("Full Name")).toHaveValue("Sizwe Ndlovu");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.locator("input[name=password]")).toHaveValue("a long shot");
  await expect(page.getByRole("checkbox")).toBeChecked();
}

/** Aborts POST requests while the browser is online. Returns a function that restores them. */
async function abortPosts(page: Page) {
  await page.route("**/*", (route) =>
    route.request().method() === "POST" ? route.abort() : route.fallback(),
  );
  return () => page.unrouteAll({ behavior: "ignoreErrors" });
}

test("the coin dialog stays open when the connection is lost, and works after it returns", async ({
  page,
  context,
}) => {
  await createBuyer(page);
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "Buy Coins" }).first().click();
  const coinPackButton = page.getByRole("dialog").getByRole("button", { name: /Jet Master/ });
  await expect(coinPackButton).toBeVisible();
  await context.setOffline(true);
  await coinPackButton.click();
  await expect(findNotice(page)).toContainText("Nothing was sent. You have not been charged.");
  await expect(coinPackButton).toBeVisible();
  await expect(page).toHaveURL(/^http:\/\/[^/]+\/\?buy-coins/);

  await context.setOffline(false);
  await expect(findNotice(page)).toContainText("You're back online");
  await coinPackButton.click();
  await page.waitForURL(/\/demo\/checkout\//);
});

test("a form stays open when the connection fails before the module of its action is loaded", async ({
  page,
}) => {
  await createBuyer(page);
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "Buy Coins" }).first().click();
  const coinPackButton = page.getByRole("dialog").getByRole("button", { name: /Jet Master/ });
  await expect(coinPackButton).toBeVisible();
  // The browser still reports that it is online.
  await page.route("**/*", (route) => route.abort());
  await coinPackButton.click();
  await expect(findNotice(page)).toContainText("Nothing was sent. You have not been charged.");
  await expect(coinPackButton).toBeVisible();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await coinPackButton.click();
  await page.waitForURL(/\/demo\/checkout\//);
});

test.describe("a page of a release that the server no longer has", () => {
  test.use({
    expectedConsoleErrors: [/Failed to (fetch|load resource)|Error loading route module/],
  });

  test("loads the page of the link that is clicked", async ({ page }) => {
    await page.goto("/contact");
    await page.route(/\/assets\/terms-of-service\.page/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("contentinfo").getByRole("link", { name: "Terms of service" }).click();
    await expect(page).toHaveURL(/\/terms-of-service$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Terms of service");
  });

  test("sends a form to another page", async ({ page }) => {
    await createBuyer(page);
    await page.goto("/");
    await page.getByRole("banner").getByRole("link", { name: "Buy Coins" }).first().click();
    const coinPackButton = page.getByRole("dialog").getByRole("button", { name: /Jet Master/ });
    await expect(coinPackButton).toBeVisible();
    await page.route(/\/assets\/(manifest-|buy-coins\.page)/, (route) =>
      route.fulfill({ status: 404 }),
    );
    await coinPackButton.click();
    await page.waitForURL(/\/demo\/checkout\//);
  });

  test("sends its own forms", async ({ page }) => {
    await page.goto("/login");
    await page.route(/\/assets\/login\.page/, (route) => route.fulfill({ status: 404 }));
    await page.getByLabel("Email").fill("punter@furlong.test");
    await page.locator("input[type=password]").fill("furlong-demo");
    await page.locator("main form button[type=submit]").click();
    await expect(page.getByRole("link", { name: /coins/i }).first()).toBeVisible();
    await expect(findNotice(page)).toBeHidden();
  });
});

test("a page stays when it is reloaded while a dialog loads its data", async ({ page }) => {
  const raceCard = await findUnopenedRaceCard(page);
  await page.goto(`/race-cards/${raceCard.id}`);
  await page.route(/\/unlock\/.+\.data/, () => {});
  await page.getByRole("link", { name: "Open race card" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.reload();
  await expect(page.getByRole("dialog").getByText(/races? to come/)).toBeVisible();
  await expect(page).toHaveURL(`/race-cards/${raceCard.id}?unlock=${raceCard.id}`);
});

test("the guest form keeps its input on the page and in the dialog when the connection is lost", async ({
  page,
  context,
}) => {
  const raceCard = await findUnopenedRaceCard(page);
  const email = `signal.${createUniqueNumber()}@example.test`;
  await page.goto(`/unlock/${raceCard.id}`);
  await fillGuestForm(page, email);
  await context.setOffline(true);
  await page.getByRole("button", { name: "Pay R40 and open" }).click();
  await expect(findNotice(page)).toContainText("Nothing was sent. You have not been charged.");
  await expectGuestForm(page, email);
  await context.setOffline(false);

  await page.goto(`/?unlock=${raceCard.id}`);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Full Name")).toBeVisible();
  await fillGuestForm(page, email);
  await context.setOffline(true);
  await dialog.getByRole("button", { name: "Pay R40 and open" }).click();
  await expect(findNotice(page)).toContainText("Nothing was sent. You have not been charged.");
  await expectGuestForm(page, email);
  await context.setOffline(false);
  await dialog.getByRole("button", { name: "Pay R40 and open" }).click();
  await page.waitForURL(/\/demo\/checkout\//);
});

test("the guest form keeps its input when the response is lost, and can be submitted again", async ({
  page,
}) => {
  const raceCard = await findUnopenedRaceCard(page);
  const email = `response.${createUniqueNumber()}@example.test`;
  await page.goto(`/unlock/${raceCard.id}`);
  await fillGuestForm(page, email);
  const restore = await abortPosts(page);
  await page.getByRole("button", { name: "Pay R40 and open" }).click();
  await expect(findNotice(page)).toContainText("We got no answer. You have not been charged.");
  await expectGuestForm(page, email);
  await restore();
  await page.getByRole("button", { name: "Pay R40 and open" }).click();
  await page.waitForURL(/\/demo\/checkout\//);
});

test("a form that navigates keeps its input when the connection is lost", async ({
  page,
  context,
}) => {
  await createBuyer(page);
  await page.goto("/profile/password");
  const fields = page.locator("main input[type=password]");
  const count = await fields.count();
  expect(count).toBeGreaterThan(1);
  for (let index = 0; index < count; index += 1) await fields.nth(index).fill(`secret ${index}`);
  await context.setOffline(true);
  await page.locator("main form button[type=submit]").click();
  await expect(findNotice(page)).toContainText("Nothing was sent.");
  for (let index = 0; index < count; index += 1)
    await expect(fields.nth(index)).toHaveValue(`secret ${index}`);
  await context.setOffline(false);
  const restore = await abortPosts(page);
  await page.locator("main form button[type=submit]").click();
  await expect(page.getByText(/no answer/i).first()).toBeVisible();
  for (let index = 0; index < count; index += 1)
    await expect(fields.nth(index)).toHaveValue(`secret ${index}`);
  await restore();
});

test("a search keeps its text and its page when the connection is lost", async ({
  page,
  context,
}) => {
  await page.goto("/help");
  const search = page.getByRole("searchbox", { name: "Search the help centre" });
  await search.fill("refund");
  await context.setOffline(true);
  await search.press("Enter");
  await expect(findNotice(page)).toContainText("Nothing was sent. What you typed is still here");
  await expect(search).toHaveValue("refund");
  await expect(page).toHaveURL(/\/help$/);
  await context.setOffline(false);
  await search.press("Enter");
  await expect(page).toHaveURL(/\/help\?q=refund$/);
});

test("a filter keeps its page when the connection is lost", async ({ page, context }) => {
  await page.goto("/leaderboard");
  const heading = page.getByRole("heading", { level: 1 });
  const title = (await heading.textContent()) ?? "";
  await context.setOffline(true);
  await page.getByLabel("Tips", { exact: true }).selectOption({ index: 1 });
  await expect(findNotice(page)).toContainText("Nothing was sent.");
  await expect(heading).toHaveText(title);
  await expect(page).toHaveURL(/\/leaderboard$/);
  await context.setOffline(false);
  await page.getByLabel("Tips", { exact: true }).selectOption({ index: 2 });
  await expect(page).toHaveURL(/\/leaderboard\?.*type=/);
});

test("a form submitted before the modules have loaded keeps its input when the connection is lost", async ({
  page,
  context,
}) => {
  skipHydrationWait(page);
  let holdModules = true;
  const heldModules: (() => void)[] = [];
  await page.route("**/assets/*.js", async (route) => {
    if (holdModules) await new Promise<void>((resolve) => heldModules.push(resolve));
    await route.continue();
  });
  await page.goto("/login", { waitUntil: "domcontentloaded" });
  await page.getByLabel("Email").fill("punter@furlong.test");
  await page.locator("input[type=password]").fill("furlong-demo");
  await context.setOffline(true);
  await page.locator("main form button[type=submit]").click();
  const notice = page.getByText("No connection. Nothing was sent. What you typed is still here");
  await expect(notice).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue("punter@furlong.test");
  await context.setOffline(false);
  holdModules = false;
  for (const release of heldModules) release();
  await expect(notice).toBeHidden();
  await page.locator("main form button[type=submit]").click();
  await expect(page.getByRole("link", { name: /coins/i }).first()).toBeVisible();
});

test("the tip form keeps its input and shows a message when the connection is lost at Publish", async ({
  page,
  context,
}) => {
  await signIn(page, "tipster@furlong.test");
  await page.goto("/tipster-dashboard/add");
  // The demo declares no runners so far ahead, so the horse is free text.
  await page.getByLabel("Race date").fill(daysFromToday(12));
  await page.getByLabel("Venue").selectOption({ index: 1 });
  await page.getByLabel("Horse name").first().fill("Signal Lost");
  await context.setOffline(true);
  await page.getByRole("button", { name: /^Publish/ }).click();
  await expect(findNotice(page)).toContainText("No tip was published.");
  await expect(page.getByLabel("Horse name").first()).toHaveValue("Signal Lost");
  await context.setOffline(false);
  await expect(findNotice(page)).toContainText("You're back online");
});

test("logging out offline clears local data, and ends the session when the connection returns", async ({
  page,
  context,
}) => {
  const { name } = await createBuyer(page);
  await page.goto("/");
  await page.evaluate(() => localStorage.setItem("furlong-tips:x", "a draft"));
  await context.setOffline(true);
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "You are logged out here" })).toBeVisible();
  await expect(page.getByText(/session ends when our server answers/)).toBeVisible();
  await expect(page.getByText(name)).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem("furlong-tips:x"))).toBeNull();

  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "You have been logged out" })).toBeVisible();
  expect((await page.request.get("/api/me")).status()).toBe(401);
});

test("a logout that is answered with an error clears local data, and ends the session later", async ({
  page,
}) => {
  const { name } = await createBuyer(page);
  await page.goto("/");
  await page.evaluate(() => {
    localStorage.setItem("furlong-tips:x", "a draft");
    // biome-ignore lint/suspicious/noDocumentCookie: the test of such a cookie
    document.cookie = "set-by-a-script=1; Path=/";
  });
  await page.route(/\/(logout\.data|api\/sign-out)/, (route) => route.fulfill({ status: 500 }));
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "You are logged out here" })).toBeVisible();
  await expect(page.getByText(name)).toHaveCount(0);
  expect(
    await page.evaluate(() => [localStorage.getItem("furlong-tips:x"), document.cookie]),
  ).toEqual([null, ""]);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.reload();
  await expect(page.getByRole("heading", { name: "You have been logged out" })).toBeVisible();
  expect((await page.request.get("/api/me")).status()).toBe(401);
});

test("a logout that could not be sent ends the session after a reload", async ({ page }) => {
  const { name } = await createBuyer(page);
  await page.goto("/");
  const restore = await abortPosts(page);
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "You are logged out here" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "You are logged out here" })).toBeVisible();
  await expect(page.getByText(name)).toHaveCount(0);
  await restore();
  await page.reload();
  await expect(page.getByRole("heading", { name: "You have been logged out" })).toBeVisible();
  expect((await page.request.get("/api/me")).status()).toBe(401);
});
