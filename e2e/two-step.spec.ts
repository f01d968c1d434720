import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { expect, test } from "./test.ts";
import { signIn } from "./users.ts";

// Does not enable two-step login, because all tests share the admin account.

test.use({ expectedConsoleErrors: [/status of (401|422)/] });

test("an admin can read the two-step login key as text and as a QR code", async ({ page }) => {
  await signIn(page, "admin@furlong.test");
  await page.goto("/admin");
  await page.getByRole("link", { name: "Two-step login" }).click();
  await expect(page.getByRole("heading", { name: "Two-step login" })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.getByRole("link", { name: "Set up" }).click();
  await expectAccessibleInBothThemes(page);
  await page.getByLabel("Your password").fill("furlong-demo");
  await page.getByRole("button", { name: "Show key" }).click();
  await expect(page.getByRole("img", { name: "QR code with your key" })).toBeVisible();
  const key = await page.locator("code").textContent();
  expect(key).toMatch(/^([A-Z2-7]{4} ?){8}$/);
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 360, 768, 1280);
  await page.getByLabel("Code shown in your app").fill("12345");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("That code is wrong or has already been used.")).toBeVisible();
  expect(await page.locator("code").textContent()).toBe(key);
  await expectAccessibleInBothThemes(page);
});

test("the code page redirects to the sign-in form when no password was entered", async ({
  page,
}) => {
  await page.goto("/login/code?return=%2Fadmin");
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 360, 768);
  await page.getByLabel("Code").fill("123456");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByText("Please log in with your password first.")).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.getByRole("main").getByRole("link", { name: "Login", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Login" })).toBeVisible();
  expect(page.url()).toContain("/login?return=%2Fadmin");
});
