import { expect, test } from "./test.ts";
import {
  createBuyer,
  findUnopenedRaceCard,
  signIn,
  TEST_PASSWORD,
  waitForEmailLink,
} from "./users.ts";

const NEW_PASSWORD = "another long shot";

test("three figures are in one row on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, "punter@furlong.test");
  await page.goto("/profile");
  const figures = page.getByRole("term").filter({ hasText: "race cards opened" }).locator("../..");
  const tops = await figures
    .locator("> div")
    .evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().top));
  expect(tops).toHaveLength(3);
  expect(new Set(tops).size).toBe(1);
});

test("the statement lists every transaction with the balance after it", async ({ page }) => {
  const { opened } = await createBuyer(page);
  const secondRaceCard = await findUnopenedRaceCard(page, (raceCard) => raceCard.id !== opened.id);
  await page.request.post(`/api/race-cards/${secondRaceCard.id}/unlock`);
  await page.goto("/profile");
  const rows = page.getByRole("table", { name: "Statement" }).getByRole("row");
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(1)).toContainText("Race card opened");
  await expect(rows.nth(1)).toContainText(secondRaceCard.venue);
  await expect(rows.nth(1).getByRole("cell").last()).toContainText("0");
  const openedCount = page.getByRole("term").filter({ hasText: "race cards opened" }).locator("..");
  await expect(openedCount.getByRole("definition")).toHaveText("2");
  await expect(page.getByText("This race card and 4 coins")).toBeVisible();
});

test.describe("with a wrong password", () => {
  test.use({ expectedConsoleErrors: [/status of 422.*\/profile\/email/] });

  test("the email address is not changed", async ({ page }) => {
    const buyer = await createBuyer(page);
    await page.goto("/profile/email");
    await page.getByLabel("New email").fill(buyer.email.replace("nandi", "zulu"));
    await page.getByLabel("Your password", { exact: true }).fill("not this one");
    await page.getByRole("button", { name: "Send confirmation" }).click();
    await expect(page.getByText("Current password is incorrect")).toBeVisible();
    await expect(page.getByLabel("New email")).toHaveValue(/^zulu/);
  });
});

test("name, password and email address can be changed with the password", async ({
  page,
  browser,
}) => {
  const buyer = await createBuyer(page);
  await page.goto("/profile");
  await page.getByRole("link", { name: "Change name" }).click();
  await page.getByLabel("Full Name").fill("Nandi Zulu");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Nandi Zulu" })).toBeVisible();
  await expect(page.getByRole("banner").getByText("Nandi Zulu").first()).toBeVisible();

  await page.getByRole("link", { name: "Change email" }).click();
  const newEmail = buyer.email.replace("nandi", "zulu");
  await page.getByLabel("New email").fill(newEmail);
  await page.getByLabel("Your password", { exact: true }).fill(TEST_PASSWORD);
  await page.getByRole("button", { name: "Send confirmation" }).click();
  await expect(page.getByText("Check your email")).toBeVisible();
  await page.goto(await waitForEmailLink(page, newEmail, "/auth-callback"));
  await page.getByRole("button", { name: "Confirm Email" }).click();
  await expect(page.getByRole("heading", { name: "Email address changed" })).toBeVisible();
  await page.goto("/profile");
  await expect(page.getByRole("main")).toContainText(newEmail);

  const otherPage = await (await browser.newContext()).newPage();
  await signIn(otherPage, newEmail, TEST_PASSWORD);
  await page.goto("/profile/password");
  await page.getByLabel("Current Password", { exact: true }).fill(TEST_PASSWORD);
  await page.getByLabel("New Password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel("Confirm New Password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Update Password" }).click();
  await expect(page.getByText("Password updated successfully!").first()).toBeVisible();
  expect((await otherPage.request.get("/api/me")).status()).toBe(401);
  expect((await page.request.get("/api/me")).status()).toBe(200);
  await otherPage.context().close();
});

test("personal data can be downloaded by its owner only", async ({ page, request }) => {
  const { email } = await createBuyer(page);
  const personalData = await (await page.request.get("/profile/data")).json();
  expect(personalData.account.email).toBe(email);
  expect(personalData.openedRaceCards).toHaveLength(1);
  expect(personalData.statement).toHaveLength(3);
  expect((await request.get("/profile/data", { maxRedirects: 0 })).status()).toBe(302);
});

test("an account is deleted with the password after a warning about its coins", async ({
  page,
}) => {
  const { email } = await createBuyer(page);
  await page.goto("/profile/delete");
  await expect(page.getByText("You will lose 4 coins you got free.")).toBeVisible();
  await page.locator("input[name=password]").fill(TEST_PASSWORD);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByRole("heading", { name: "Account deleted" })).toBeVisible();
  const response = await page.request.post("/api/sign-in", {
    data: { email, password: TEST_PASSWORD },
  });
  expect(response.status()).toBe(401);
});

test("signing out everywhere ends this session too", async ({ page }) => {
  await createBuyer(page);
  await page.goto("/profile/sign-out-everywhere");
  await page.getByRole("main").getByRole("button", { name: "Log out everywhere" }).click();
  await expect(page.getByText("You're logged out everywhere.")).toBeVisible();
  expect((await page.request.get("/api/me")).status()).toBe(401);
});
