import type { Page } from "@playwright/test";
import { expect, test } from "./test.ts";
import { createBuyer, findUnopenedRaceCard, signIn } from "./users.ts";

// Tests that a tab keeps its input and shows a message when the server becomes unreachable.

test.use({ expectedConsoleErrors: [/net::ERR_|Failed to load resource|Failed to fetch/] });

/** Aborts requests to matching URLs with a connection reset. */
async function abortRequests(page: Page, urlPattern: string | RegExp) {
  await page.route(urlPattern, (route) => route.abort("connectionreset"));
}

test("signing in and registering report the lost connection and keep the email address", async ({
  page,
}) => {
  await page.goto("/login");
  await abortRequests(page, /\/login\.data/);
  await page.getByLabel("Email").fill("punter@furlong.test");
  await page.locator("input[name=password]").fill("furlong-demo");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByText(/^Login failed: no answer from Furlong/)).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue("punter@furlong.test");
  await page.unroute(/\/login\.data/);
  await page.getByRole("link", { name: "Create one" }).click();
  await page.getByLabel("Full Name").fill("Nandi Khumalo");
  await page.getByLabel("Email").fill("nandi.offline@example.test");
  await page.locator("input[name=password]").fill("a long shot");
  await page.getByRole("checkbox").check();
  await abortRequests(page, /\/login\.data/);
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByText(/^Registration failed: no answer from Furlong/)).toBeVisible();
});

test("a failed unlock shows a message, and a retry is charged once", async ({ page }) => {
  await createBuyer(page);
  const singleRaceCard = await findUnopenedRaceCard(page, (raceCard) => raceCard.raceCount === 1);
  const multiRaceCard = await findUnopenedRaceCard(page, (raceCard) => raceCard.raceCount > 1);
  for (const [raceCard, message] of [
    [singleRaceCard, /^Failed to unlock tip: /],
    [multiRaceCard, /^Failed to unlock daily racing\. Please try again\./],
  ] as const) {
    await page.goto(`/race-cards/${raceCard.id}`);
    await abortRequests(page, "**/unlock");
    await page.getByRole("main").getByRole("button", { name: "Open race card" }).click();
    await expect(page.getByText(message).first()).toBeVisible();
    await page.unroute("**/unlock");
  }
  await page.getByRole("main").getByRole("button", { name: "Open race card" }).click();
  await expect(page.getByText("Unlocked", { exact: true })).toBeVisible();
  expect((await (await page.request.get("/api/me")).json()).user.coins).toBe(0);
});

test("returning to a tab while the server is down keeps the page", async ({ page }) => {
  await signIn(page, "punter@furlong.test");
  await page.goto("/profile/name");
  await page.getByLabel("Full Name").fill("Half Written");
  await abortRequests(page, "**/health/ready");
  await page.evaluate(() => {
    const originalNow = Date.now;
    Date.now = () => originalNow() + 60_000;
    window.dispatchEvent(new Event("focus"));
  });
  await expect(
    page.getByText("Unable to read coin balance. Please refresh and try again."),
  ).toBeVisible();
  await expect(page.getByLabel("Full Name")).toHaveValue("Half Written");
});

test("a tipster's forms report the lost connection and keep the input", async ({ page }) => {
  await signIn(page, "tipster@furlong.test");
  await page.goto("/tipster-dashboard/profile");
  await abortRequests(page, /\/tipster-dashboard\/\w+\.data/);
  await page.getByLabel("Bio").fill("Written at length.");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("Network error. Please try again.")).toBeVisible();
  await expect(page.getByLabel("Bio")).toHaveValue("Written at length.");
  await page.unroute(/\/tipster-dashboard\/\w+\.data/);

  await page.goto("/tipster-dashboard/password");
  await abortRequests(page, /\/tipster-dashboard\/\w+\.data/);
  await page.getByLabel("Current Password").fill("furlong-demo");
  await page.getByLabel("New Password", { exact: true }).fill("another long shot");
  await page.getByLabel("Confirm New Password").fill("another long shot");
  await page.getByRole("button", { name: "Update Password" }).click();
  await expect(page.getByText("An error occurred. Please try again.")).toBeVisible();
});

test("resending the verification email reports the lost connection", async ({ page }) => {
  await createBuyer(page);
  await page.goto("/profile/confirmation");
  await abortRequests(page, /\/profile\/confirmation\.data/);
  await page.getByRole("button", { name: "Send verification email" }).click();
  await expect(page.getByText("Network error. Please try again later.")).toBeVisible();
});
