import type { Browser, Page } from "@playwright/test";
import { LIST_PATH } from "#ui/list-path.ts";
import { daysFromToday } from "./clock.ts";
import { expect, test } from "./test.ts";
import {
  confirmEmail,
  confirmRacesRun,
  createAnalyst,
  createBuyer,
  createVenue,
  DEMO_PASSWORD,
  signIn,
  TEST_PASSWORD,
} from "./users.ts";

// Tests open tabs whose session is ended from another browser.

const EXPIRED = "Session Expired: Your session has expired. Please log in again.";

test.use({ expectedConsoleErrors: [/status of 401/] });

async function endSessionInAnotherBrowser(browser: Browser, email: string) {
  const otherPage = await (await browser.newContext()).newPage();
  await signIn(otherPage, email, TEST_PASSWORD);
  await otherPage.goto("/profile/sign-out-everywhere");
  const button = otherPage.getByRole("main").getByRole("button", { name: "Log out everywhere" });
  await button.click();
  await expect(otherPage.getByText("You're logged out everywhere.")).toBeVisible();
  await otherPage.context().close();
}

async function signInAgain(page: Page, email: string) {
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Log In" }) });
  await form.getByLabel("Email").fill(email);
  await form.locator("input[name=password]").fill(TEST_PASSWORD);
  await form.getByRole("button", { name: "Log In" }).click();
}

test("a race card is unlocked after signing in again in place, and charged once", async ({
  page,
  browser,
}) => {
  const { email } = await createBuyer(page);
  await confirmEmail(page, email);
  await page.goto(LIST_PATH);
  const openButton = page.getByRole("main").getByRole("button", { name: "Open race card" }).first();
  await endSessionInAnotherBrowser(browser, email);

  await openButton.click();
  const prompt = page.getByRole("alertdialog");
  await confirmRacesRun(page, prompt.getByText(EXPIRED));
  await expect(prompt.getByText(EXPIRED)).toBeVisible();
  await expect(prompt.getByText(/^You have not been charged. Log in/)).toBeVisible();
  await prompt.getByRole("button", { name: "Log In" }).click();
  await signInAgain(page, email);
  await expect(page.getByText(`Welcome back, Nandi Khumalo!`).first()).toBeVisible();
  await page.waitForURL((url) => url.pathname.startsWith("/race-cards/") && url.search === "");
  expect((await (await page.request.get("/api/me")).json()).user.coins).toBe(4);
  await page.getByRole("main").getByRole("button", { name: "Open race card" }).first().click();
  const unlocked = page.getByText("Unlocked", { exact: true });
  await confirmRacesRun(page, unlocked);
  await expect(unlocked).toBeVisible();
  expect((await (await page.request.get("/api/me")).json()).user.coins).toBe(0);
});

test("a coin purchase continues after signing in again", async ({ page, browser }) => {
  const { email } = await createBuyer(page);
  await confirmEmail(page, email);
  await page.goto("/?buy-coins");
  const coinDialog = page.getByRole("dialog", { name: "Buy Coins" });
  await expect(coinDialog.getByRole("heading", { name: "Horse Chestnut" })).toBeVisible();
  await endSessionInAnotherBrowser(browser, email);
  await coinDialog.getByRole("button").filter({ hasText: "R40" }).first().click();
  await expect(coinDialog.getByText(EXPIRED)).toBeVisible();
  await coinDialog.getByRole("link", { name: "Log in" }).click();
  await signInAgain(page, email);
  await expect(page.getByRole("dialog", { name: "Buy Coins" })).toBeVisible();
});

test("a profile form keeps its input after signing in again", async ({ page, browser }) => {
  const { email } = await createBuyer(page);
  await confirmEmail(page, email);
  await page.goto("/profile/name");
  await endSessionInAnotherBrowser(browser, email);
  await page.getByLabel("Full Name").fill("Nandi Zulu");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByText(EXPIRED)).toBeVisible();
  await signInAgain(page, email);
  await page.waitForURL("**/profile/name");
  await expect(page.getByLabel("Full Name")).toHaveValue("Nandi Zulu");
});

test("a tipster's draft survives signing in again", async ({ page, browser }) => {
  const { email } = await createAnalyst(browser);
  await signIn(page, email, TEST_PASSWORD);
  await page.goto("/tipster-dashboard/add");
  await page.getByLabel("Horse name").first().fill("Kept Through It All");
  await page.getByLabel("Analysis").first().fill("Half a page of reasons.");
  await expect(page.getByText(/Draft saved on this device/)).toBeVisible();
  await endSessionInAnotherBrowser(browser, email);
  // Selecting a venue sends a request, which reveals that the session has ended.
  await page.getByLabel("Venue").selectOption({ index: 1 });
  await expect(page.getByText(EXPIRED)).toBeVisible();
  await signInAgain(page, email);
  await page.waitForURL("**/tipster-dashboard/add");
  await expect(page.getByLabel("Horse name").first()).toHaveValue("Kept Through It All");
  await expect(page.getByLabel("Analysis").first()).toHaveValue("Half a page of reasons.");
});

test("a draft of two races survives a session that ends at Publish", async ({ page, browser }) => {
  const { email } = await createAnalyst(browser);
  await signIn(page, email, TEST_PASSWORD);
  await page.goto("/tipster-dashboard/add");
  await page.getByLabel("Venue").selectOption({ label: "Scottsville" });
  await page.getByLabel("Race date").fill(daysFromToday(12));
  for (const index of [0, 1]) {
    if (index > 0) await page.getByRole("button", { name: "Add race" }).click();
    await fillInRace(page, index, `Kept Horse ${index + 1}`);
  }
  await endSessionInAnotherBrowser(browser, email);
  await page.getByRole("button", { name: "Publish 2 races" }).click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByText(EXPIRED)).toBeVisible();
  await signInAgain(page, email);
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
  const thirdTab = await context.newPage();
  await thirdTab.goto("/tipster-dashboard/add");
  await thirdTab.getByLabel("Analysis").fill("A third draft.");
  await expect(thirdTab.getByText(/Draft saved on this device/)).toBeVisible();
  await expect(thirdTab.getByLabel("Horse name")).toHaveValue("");
  for (const [index, tab] of tabs.entries()) {
    await tab.reload();
    await expect(tab.getByLabel("Horse name")).toHaveValue(`Tab ${index + 1} Horse`);
  }
  // A draft is offered to other tabs once its tab is closed.
  await tabs[1]?.close();
  await thirdTab.reload();
  await thirdTab.getByRole("button", { name: /^No venue yet, .* \(1 race\)$/ }).click();
  await expect(thirdTab.getByLabel("Horse name")).toHaveValue("Tab 2 Horse");
  await thirdTab.getByRole("button", { name: /^No venue yet, .* \(1 race\)$/ }).click();
  await expect(thirdTab.getByLabel("Analysis")).toHaveValue("A third draft.");
  await thirdTab.getByRole("button", { name: "Start another draft" }).click();
  await expect(thirdTab.getByLabel("Analysis")).toHaveValue("");
  await expect(thirdTab.getByRole("button", { name: /^No venue yet/ })).toHaveCount(2);
});

async function fillInRace(page: Page, index: number, horseName: string) {
  await page.getByLabel("Horse number").nth(index).fill("7");
  await page.getByLabel("Horse name").nth(index).fill(horseName);
  await page.getByText("Place", { exact: true }).nth(index).click();
  await page.getByText("High", { exact: true }).nth(index).click();
  await page.getByLabel("Analysis").nth(index).fill("Reasons.");
}

test("a race day and a result that an admin types survive signing in again", async ({ page }) => {
  await signIn(page, "admin@furlong.test");
  const venue = await createVenue(page, "Draft");
  const raceDate = daysFromToday(-1);
  await page.goto("/admin/venues");
  const row = page.getByRole("row").filter({ hasText: venue });
  const raceDays = await row.getByRole("link", { name: "Race days" }).getAttribute("href");
  const path = `${raceDays}/${raceDate}`;
  await page.goto(path);
  await page.getByLabel("Race 1", { exact: true }).fill("13:00");
  await page.getByLabel("Source").fill("Track office");
  await page.getByLabel("Description").fill("Half a page of weather");
  await endSession(page);
  await page.getByRole("button", { name: "Save race day" }).click();
  await logInAsAdmin(page);
  await page.waitForURL(`**${path}`);
  await expect(page.getByText(/^What you typed until .* is filled in again/)).toBeVisible();
  await expect(page.getByLabel("Race 1", { exact: true })).toHaveValue("13:00");
  await expect(page.getByLabel("Description")).toHaveValue("Half a page of weather");
  await page.getByRole("button", { name: "Save race day" }).click();
  await expect(page.getByText("Race day saved.").first()).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Race 1", { exact: true })).toHaveValue("13:00");
  await expect(page.getByText("What you typed until")).toHaveCount(0);

  // A draft of an older version is filled in only when the admin asks for it.
  await page.getByLabel("Description").fill("Typed before somebody else saved");
  await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
  await page.goto("/admin/race-days/import");
  await page
    .getByLabel("Or paste its contents")
    .fill(
      [
        "date,venue,race,off,source",
        `${raceDate},${venue},2,13:35,Track office`,
        `${raceDate},${venue},3,14:10,Track office`,
      ].join("\n"),
    );
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByText("1 race day imported.")).toBeVisible();
  await page.goto(path);
  await expect(page.getByText("a newer version was saved since")).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue("Half a page of weather");
  await page.getByRole("button", { name: "Fill it in" }).click();
  await expect(page.getByLabel("Description")).toHaveValue("Typed before somebody else saved");
  await page.getByRole("button", { name: "Discard it" }).click();
  await expect(page.getByLabel("Description")).toHaveValue("Half a page of weather");

  const resultPath = `/admin/results/${path.split("/")[3]}/${raceDate}/1`;
  await page.goto(resultPath);
  await page.getByLabel("Status").selectOption("abandoned");
  await page.getByLabel("Source", { exact: true }).fill("NHA");
  await endSession(page);
  await page.getByRole("button", { name: "Save result" }).click();
  await logInAsAdmin(page);
  await page.waitForURL(`**${resultPath}`);
  await expect(page.getByLabel("Status")).toHaveValue("abandoned");
  await expect(page.getByLabel("Source", { exact: true })).toHaveValue("NHA");
  await page.getByRole("button", { name: "Save result" }).click();
  await expect(page.getByText("Result of race 1 saved.")).toBeVisible();

  // Back leads to a page whose address says what was saved before it.
  await page.getByLabel("Status").selectOption("abandoned");
  await page.getByLabel("Source", { exact: true }).fill("NHA");
  await page.getByRole("button", { name: "Save result" }).click();
  await expect(page.getByText("Result of race 2 saved.")).toBeVisible();
  await page.getByLabel("Source", { exact: true }).fill("Not saved");
  await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
  await page.goBack();
  await expect(page.getByRole("heading", { name: /^Race 2, / })).toBeVisible();
  await page.goForward();
  await expect(page.getByRole("heading", { name: /^Race 3, / })).toBeVisible();
  await expect(page.getByLabel("Source", { exact: true })).toHaveValue("Not saved");

  await page.goto(resultPath);
  await expect(page.getByText("What you typed until")).toHaveCount(0);
});

/** Ends the session of this browser and keeps its cookie, as when it expires. */
async function endSession(page: Page) {
  const cookies = await page.context().cookies();
  await page.request.post("/api/sign-out");
  await page.context().addCookies(cookies);
}

async function logInAsAdmin(page: Page) {
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Log In" }) });
  await form.getByLabel("Email").fill("admin@furlong.test");
  await form.locator("input[name=password]").fill(DEMO_PASSWORD);
  await form.getByRole("button", { name: "Log In" }).click();
}
