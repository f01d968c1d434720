import type { Browser, Page } from "@playwright/test";
import { confirmAddress, newReader, OWN_PASSWORD, signIn } from "./people.ts";
import { expect, test } from "./test.ts";

// A tab stays open while its session is ended from another browser.

const EXPIRED = "Session Expired: Your session has expired. Please log in again.";

test.use({ expectedComplaints: [/status of 401/] });

async function signOutEverywhereElse(browser: Browser, email: string, password?: string) {
  const elsewhere = await (await browser.newContext()).newPage();
  await signIn(elsewhere, email, password);
  await elsewhere.goto("/profile/sign-out-everywhere");
  const button = elsewhere.getByRole("main").getByRole("button", { name: "Sign out everywhere" });
  await button.click();
  await expect(elsewhere.getByText("You are signed out everywhere.")).toBeVisible();
  await elsewhere.context().close();
}

async function signInAgain(page: Page, email: string, password: string) {
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Sign In" }) });
  await form.getByLabel("Email").fill(email);
  await form.locator("input[name=password]").fill(password);
  await form.getByRole("button", { name: "Sign In" }).click();
}

test("a card is opened after signing in again where it stands, and paid for once", async ({
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
  // A card of which some races are run is asked about first.
  if (await prompt.getByText(/races run/).isVisible())
    await prompt.getByRole("button", { name: "Open race card" }).click();
  await expect(prompt.getByText(EXPIRED)).toBeVisible();
  await expect(prompt.getByText("Nothing was charged.")).toBeVisible();
  await prompt.getByRole("button", { name: "Sign In" }).click();
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

test("the packs wait until one is signed in again", async ({ page, browser }) => {
  const { email } = await newReader(page);
  await confirmAddress(page, email);
  await page.goto("/?buy-coins");
  const packs = page.getByRole("dialog", { name: "Buy Coins" });
  await expect(packs.getByRole("heading", { name: "Horse Chestnut" })).toBeVisible();
  await signOutEverywhereElse(browser, email, OWN_PASSWORD);
  await packs.getByRole("button").filter({ hasText: "R40" }).first().click();
  await expect(packs.getByText(EXPIRED)).toBeVisible();
  await packs.getByRole("link", { name: "Sign in" }).click();
  await signInAgain(page, email, OWN_PASSWORD);
  await expect(page.getByRole("dialog", { name: "Buy Coins" })).toBeVisible();
});

test("a form of the profile is come back to, as it was filled in", async ({ page, browser }) => {
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

test("a tipster's draft is there again, as it was written", async ({ page, browser }) => {
  await signIn(page, "tipster@furlong.test");
  await page.goto("/tipster-dashboard/add");
  await page.getByLabel("Horse name").first().fill("Kept Through It All");
  await page.getByLabel("Analysis").first().fill("Half a page of reasons.");
  await expect(page.getByText(/Draft kept on this device/)).toBeVisible();
  await signOutEverywhereElse(browser, "tipster@furlong.test");
  // Choosing a venue asks the server what is known of it, and learns that nobody is signed in.
  await page.getByLabel("Venue").selectOption({ index: 1 });
  await expect(page.getByText(EXPIRED)).toBeVisible();
  await signInAgain(page, "tipster@furlong.test", "furlong-demo");
  await page.waitForURL("**/tipster-dashboard/add");
  await expect(page.getByLabel("Horse name").first()).toHaveValue("Kept Through It All");
  await expect(page.getByLabel("Analysis").first()).toHaveValue("Half a page of reasons.");
});
