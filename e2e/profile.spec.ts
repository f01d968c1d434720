import type { Page } from "@playwright/test";
import { expect, test } from "./test.ts";
import { cardOnSale, newReader, OWN_PASSWORD, signIn } from "./users.ts";

const NEW_PASSWORD = "another long shot";

async function linkFor(page: Page, email: string, path: string): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    const mails: { to: string; text: string }[] = await (
      await page.request.get("/demo/mail.json")
    ).json();
    const mail = mails.find(({ to, text }) => to === email && text.includes(path));
    link = new RegExp(`https?://[^/\\s]+(${path}\\S+)`).exec(mail?.text ?? "")?.[1];
    expect(link).toBeTruthy();
  }).toPass();
  return link ?? "";
}

test("the statement lists every transaction with the balance after it", async ({ page }) => {
  const { opened } = await newReader(page);
  const second = await cardOnSale(page, (card) => card.id !== opened.id);
  await page.request.post(`/api/race-cards/${second.id}/unlock`);
  await page.goto("/profile");
  const rows = page.getByRole("table", { name: "Statement" }).getByRole("row");
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(1)).toContainText("Race card opened");
  await expect(rows.nth(1)).toContainText(second.venue);
  await expect(rows.nth(1).getByRole("cell").last()).toContainText("0");
  await expect(page.getByText("2", { exact: true })).toBeVisible();
  await expect(page.getByText("This race card and 4 coins")).toBeVisible();
});

test.describe("with a wrong password", () => {
  test.use({ expectedComplaints: [/status of 422.*\/profile\/email/] });

  test("the email address is not changed", async ({ page }) => {
    const reader = await newReader(page);
    await page.goto("/profile/email");
    await page.getByLabel("New email").fill(reader.email.replace("nandi", "zulu"));
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
  const reader = await newReader(page);
  await page.goto("/profile");
  await page.getByRole("link", { name: "Change name" }).click();
  await page.getByLabel("Full Name").fill("Nandi Zulu");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Nandi Zulu" })).toBeVisible();
  await expect(page.getByRole("banner").getByText("Nandi Zulu").first()).toBeVisible();

  await page.getByRole("link", { name: "Change email" }).click();
  const address = reader.email.replace("nandi", "zulu");
  await page.getByLabel("New email").fill(address);
  await page.getByLabel("Your password", { exact: true }).fill(OWN_PASSWORD);
  await page.getByRole("button", { name: "Send confirmation" }).click();
  await expect(page.getByText("Check your email")).toBeVisible();
  await page.goto(await linkFor(page, address, "/auth-callback"));
  const confirm = page.getByRole("main").getByRole("button").first();
  if (await confirm.isVisible()) await confirm.click();
  await expect(async () => {
    await page.goto("/profile");
    await expect(page.getByRole("main")).toContainText(address, { timeout: 1_000 });
  }).toPass();

  const elsewhere = await (await browser.newContext()).newPage();
  await signIn(elsewhere, address, OWN_PASSWORD);
  await page.goto("/profile/password");
  await page.getByLabel("Current password", { exact: true }).fill(OWN_PASSWORD);
  await page.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel("Confirm New Password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Update password" }).click();
  await expect(page.getByText("Password updated successfully!")).toBeVisible();
  expect((await elsewhere.request.get("/api/me")).status()).toBe(401);
  expect((await page.request.get("/api/me")).status()).toBe(200);
  await elsewhere.context().close();
});

test("personal data can be downloaded by its owner only", async ({ page, request }) => {
  const { email } = await newReader(page);
  const file = await (await page.request.get("/profile/data")).json();
  expect(file.account.email).toBe(email);
  expect(file.openedRaceCards).toHaveLength(1);
  expect(file.statement).toHaveLength(3);
  expect((await request.get("/profile/data", { maxRedirects: 0 })).status()).toBe(302);
});

test("an account is deleted with the password after a warning about its coins", async ({
  page,
}) => {
  const { email } = await newReader(page);
  await page.goto("/profile/delete");
  await expect(page.getByText("You will lose 4 coins (R40 at R10 a coin).")).toBeVisible();
  await page.locator("input[name=password]").fill(OWN_PASSWORD);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByRole("heading", { name: "Account deleted" })).toBeVisible();
  const answer = await page.request.post("/api/sign-in", {
    data: { email, password: OWN_PASSWORD },
  });
  expect(answer.status()).toBe(401);
});

test("signing out everywhere ends this session too", async ({ page }) => {
  await newReader(page);
  await page.goto("/profile/sign-out-everywhere");
  await page.getByRole("main").getByRole("button", { name: "Log out everywhere" }).click();
  await expect(page.getByText("You're logged out everywhere.")).toBeVisible();
  expect((await page.request.get("/api/me")).status()).toBe(401);
});
