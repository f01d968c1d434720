import type { Page } from "@playwright/test";
import { expect, test } from "./test.ts";
import { cardOnSale, newReader, signIn } from "./users.ts";

// The server becomes unreachable while a tab is open. The input stays and a message is shown.

test.use({ expectedComplaints: [/net::ERR_|Failed to load resource|Failed to fetch/] });

/** Aborts requests to matching URLs with a connection reset. */
async function breakOff(page: Page, address: string | RegExp) {
  await page.route(address, (route) => route.abort("connectionreset"));
}

test("signing in and registering report the lost connection and keep the email address", async ({
  page,
}) => {
  await page.goto("/login");
  await breakOff(page, /\/login\.data/);
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
  await breakOff(page, /\/login\.data/);
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByText(/^Registration failed: no answer from Furlong/)).toBeVisible();
});

test("a failed unlock shows a message, and a retry is charged once", async ({ page }) => {
  await newReader(page);
  const single = await cardOnSale(page, (card) => card.raceCount === 1);
  const whole = await cardOnSale(page, (card) => card.raceCount > 1);
  for (const [card, words] of [
    [single, /^Failed to unlock tip: /],
    [whole, /^Failed to unlock daily racing\. Please try again\./],
  ] as const) {
    await page.goto(`/race-cards/${card.id}`);
    await breakOff(page, "**/unlock");
    await page.getByRole("main").getByRole("button", { name: "Open race card" }).click();
    await expect(page.getByText(words).first()).toBeVisible();
    await page.unroute("**/unlock");
  }
  await page.getByRole("main").getByRole("button", { name: "Open race card" }).click();
  await expect(page.getByText("Unlocked").first()).toBeVisible();
  expect((await (await page.request.get("/api/me")).json()).user.coins).toBe(0);
});

test("returning to a tab while the server is down keeps the page", async ({ page }) => {
  await signIn(page, "punter@furlong.test");
  await page.goto("/profile/name");
  await page.getByLabel("Full Name").fill("Half Written");
  await breakOff(page, "**/health/ready");
  await page.evaluate(() => {
    const real = Date.now;
    Date.now = () => real() + 60_000;
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
  await breakOff(page, /\/tipster-dashboard\/\w+\.data/);
  await page.getByLabel("Bio").fill("Written at length.");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("Network error. Please try again.")).toBeVisible();
  await expect(page.getByLabel("Bio")).toHaveValue("Written at length.");
  await page.unroute(/\/tipster-dashboard\/\w+\.data/);

  await page.goto("/tipster-dashboard/password");
  await breakOff(page, /\/tipster-dashboard\/\w+\.data/);
  await page.getByLabel("Current Password").fill("furlong-demo");
  await page.getByLabel("New Password", { exact: true }).fill("another long shot");
  await page.getByLabel("Confirm New Password").fill("another long shot");
  await page.getByRole("button", { name: "Update Password" }).click();
  await expect(page.getByText("An error occurred. Please try again.")).toBeVisible();
});

test("resending the verification email reports the lost connection", async ({ page }) => {
  await newReader(page);
  await page.goto("/profile/confirmation");
  await breakOff(page, /\/profile\/confirmation\.data/);
  await page.getByRole("button", { name: "Send verification email" }).click();
  await expect(page.getByText("Network error. Please try again later.")).toBeVisible();
});
