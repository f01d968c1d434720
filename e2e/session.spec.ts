import type { Browser, Page } from "@playwright/test";
import { addDays, dateAt } from "#domain/calendar.ts";
import { expect, test } from "./test.ts";
import { confirmAddress, newReader, OWN_PASSWORD, signIn } from "./users.ts";

// The session of an open tab is ended from another browser.

const EXPIRED = "Session Expired: Your session has expired. Please log in again.";

test.use({ expectedComplaints: [/status of 401/] });

async function signOutEverywhereElse(browser: Browser, email: string, password?: string) {
  const elsewhere = await (await browser.newContext()).newPage();
  await signIn(elsewhere, email, password);
  await elsewhere.goto("/profile/sign-out-everywhere");
  const button = elsewhere.getByRole("main").getByRole("button", { name: "Log out everywhere" });
  await button.click();
  await expect(elsewhere.getByText("You're logged out everywhere.")).toBeVisible();
  await elsewhere.context().close();
}

async function signInAgain(page: Page, email: string, password: string) {
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Log In" }) });
  await form.getByLabel("Email").fill(email);
  await form.locator("input[name=password]").fill(password);
  await form.getByRole("button", { name: "Log In" }).click();
}

test("a race card is unlocked after signing in again in place, and charged once", async ({
  page,
  browser,
}) => {
  const { email } = await newReader(page);
  await confirmAddress(page, email);
  await page.goto("/");
  const open = page.getByRole("main").getByRole("button", { name: "Open race card" }).first();
  await signOutEverywhereElse(browser, email, OWN_PASSWORD);

  await open.click();
  const prompt = page.getByRole("alertdialog");
  // Race cards with finished races require a confirmation first.
  if (await prompt.getByText(/races run/).isVisible())
    await prompt.getByRole("button", { name: "Open race card" }).click();
  await expect(prompt.getByText(EXPIRED)).toBeVisible();
  await expect(prompt.getByText(/^You have not been charged. Log in/)).toBeVisible();
  await prompt.getByRole("button", { name: "Log In" }).click();
  await signInAgain(page, email, OWN_PASSWORD);
  await expect(page.getByText(`Welcome back, Nandi Khumalo!`).first()).toBeVisible();
  await page.waitForURL((url) => url.pathname === "/" && url.search === "");
  expect((await (await page.request.get("/api/me")).json()).user.coins).toBe(4);
  await page.getByRole("main").getByRole("button", { name: "Open race card" }).first().click();
  if (await prompt.getByText(/races run/).isVisible())
    await prompt.getByRole("button", { name: "Open race card" }).click();
  await expect(page.getByText("Unlocked").first()).toBeVisible();
  expect((await (await page.request.get("/api/me")).json()).user.coins).toBe(0);
});

test("a coin purchase continues after signing in again", async ({ page, browser }) => {
  const { email } = await newReader(page);
  await confirmAddress(page, email);
  await page.goto("/?buy-coins");
  const packs = page.getByRole("dialog", { name: "Buy Coins" });
  await expect(packs.getByRole("heading", { name: "Horse Chestnut" })).toBeVisible();
  await signOutEverywhereElse(browser, email, OWN_PASSWORD);
  await packs.getByRole("button").filter({ hasText: "R40" }).first().click();
  await expect(packs.getByText(EXPIRED)).toBeVisible();
  await packs.getByRole("link", { name: "Log in" }).click();
  await signInAgain(page, email, OWN_PASSWORD);
  await expect(page.getByRole("dialog", { name: "Buy Coins" })).toBeVisible();
});

test("a profile form keeps its input after signing in again", async ({ page, browser }) => {
  const { email } = await newReader(page);
  await confirmAddress(page, email);
  await page.goto("/profile/name");
  await signOutEverywhereElse(browser, email, OWN_PASSWORD);
  await page.getByLabel("Full Name").fill("Nandi Zulu");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByText(EXPIRED)).toBeVisible();
  await signInAgain(page, email, OWN_PASSWORD);
  await page.waitForURL("**/profile/name");
  await expect(page.getByLabel("Full Name")).toHaveValue("Nandi Zulu");
});

test("a tipster's draft survives signing in again", async ({ page, browser }) => {
  await signIn(page, "tipster@furlong.test");
  await page.goto("/tipster-dashboard/add");
  await page.getByLabel("Horse name").first().fill("Kept Through It All");
  await page.getByLabel("Analysis").first().fill("Half a page of reasons.");
  await expect(page.getByText(/Draft saved on this device/)).toBeVisible();
  await signOutEverywhereElse(browser, "tipster@furlong.test");
  // Selecting a venue sends a request, which reveals that the session has ended.
  await page.getByLabel("Venue").selectOption({ index: 1 });
  await expect(page.getByText(EXPIRED)).toBeVisible();
  await signInAgain(page, "tipster@furlong.test", "furlong-demo");
  await page.waitForURL("**/tipster-dashboard/add");
  await expect(page.getByLabel("Horse name").first()).toHaveValue("Kept Through It All");
  await expect(page.getByLabel("Analysis").first()).toHaveValue("Half a page of reasons.");
});

test("a draft of two races survives a session that ends at Publish", async ({ page, browser }) => {
  await signIn(page, "tipster@furlong.test");
  await page.goto("/tipster-dashboard/add");
  await page.getByLabel("Venue").selectOption({ label: "Scottsville" });
  await page.getByLabel("Race date").fill(addDays(dateAt(new Date()), 12));
  for (const index of [0, 1]) {
    if (index > 0) await page.getByRole("button", { name: "Add race" }).click();
    await fillInRace(page, index, `Kept Horse ${index + 1}`);
  }
  await signOutEverywhereElse(browser, "tipster@furlong.test");
  await page.getByRole("button", { name: "Publish 2 races" }).click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByText(EXPIRED)).toBeVisible();
  await signInAgain(page, "tipster@furlong.test", "furlong-demo");
  await page.waitForURL("**/tipster-dashboard/add");
  for (const reload of [false, true]) {
    if (reload) await page.reload();
    for (const index of [0, 1]) {
      await expect(page.getByLabel("Horse name").nth(index)).toHaveValue(`Kept Horse ${index + 1}`);
      await expect(page.getByLabel("Horse number").nth(index)).toHaveValue("7");
      await expect(page.getByRole("radio", { name: "Place" }).nth(index)).toBeChecked();
      await expect(page.getByRole("radio", { name: "High" }).nth(index)).toBeChecked();
      await expect(page.getByLabel("Analysis").nth(index)).toHaveValue("Reasons.");
    }
  }
});

test("two tabs have separate drafts, and a third opens neither", async ({ context, page }) => {
  await signIn(page, "tipster@furlong.test");
  const tabs = [page, await context.newPage()];
  for (const [index, tab] of tabs.entries()) {
    await tab.goto("/tipster-dashboard/add");
    await expect(tab.getByLabel("Horse name")).toHaveValue("");
    await fillInRace(tab, 0, `Tab ${index + 1} Horse`);
    await expect(tab.getByText(/Draft saved on this device/)).toBeVisible();
  }
  const third = await context.newPage();
  await third.goto("/tipster-dashboard/add");
  await third.getByLabel("Analysis").fill("A third draft.");
  await expect(third.getByText(/Draft saved on this device/)).toBeVisible();
  await expect(third.getByLabel("Horse name")).toHaveValue("");
  for (const [index, tab] of tabs.entries()) {
    await tab.reload();
    await expect(tab.getByLabel("Horse name")).toHaveValue(`Tab ${index + 1} Horse`);
  }
  // A draft is offered to other tabs once its tab is closed.
  await tabs[1]?.close();
  await third.reload();
  await third.getByRole("button", { name: /^No venue yet, .* \(1 race\)$/ }).click();
  await expect(third.getByLabel("Horse name")).toHaveValue("Tab 2 Horse");
  await third.getByRole("button", { name: /^No venue yet, .* \(1 race\)$/ }).click();
  await expect(third.getByLabel("Analysis")).toHaveValue("A third draft.");
  await third.getByRole("button", { name: "Start another draft" }).click();
  await expect(third.getByLabel("Analysis")).toHaveValue("");
  await expect(third.getByRole("button", { name: /^No venue yet/ })).toHaveCount(2);
});

async function fillInRace(page: Page, index: number, horseName: string) {
  await page.getByLabel("Horse number").nth(index).fill("7");
  await page.getByLabel("Horse name").nth(index).fill(horseName);
  await page.getByText("Place", { exact: true }).nth(index).click();
  await page.getByText("High", { exact: true }).nth(index).click();
  await page.getByLabel("Analysis").nth(index).fill("Reasons.");
}
