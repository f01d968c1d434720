import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { expect, test } from "./test.ts";
import {
  computeCode,
  createUniqueNumber,
  fillCode,
  inAnotherBrowser,
  signIn,
  TEST_PASSWORD,
  waitForEmailLink,
} from "./users.ts";

test.use({ expectedConsoleErrors: [/status of (401|403|422)/] });

test("an admin invites another admin, who sets up two-step login and is removed again", async ({
  page,
  browser,
}) => {
  test.slow();
  const uniqueNumber = createUniqueNumber();
  const email = `another.admin.${uniqueNumber}@example.test`;
  const name = `Sipho Dlamini ${uniqueNumber}`;
  await signIn(page, "admin@furlong.test");
  await page.goto("/admin");
  await page.getByRole("link", { name: "Admins" }).click();
  await expect(page.getByRole("link", { name: "Remove Second Admin" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Step down" })).toBeVisible();
  await expectAccessibleInBothThemes(page);

  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Code from your app").fill("12345");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(page.getByText("That code is wrong or has already been used.")).toBeVisible();
  await fillCode(page);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(page.getByText(`We've emailed the invitation to ${email}.`).first()).toBeVisible();
  await expect(
    page.getByRole("button", { name: `Resend the invitation to ${email}` }),
  ).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 360, 768, 1280);

  const link = await waitForEmailLink(page, email, "/admin-invitation");
  await inAnotherBrowser(browser, async (invited) => {
    await invited.goto(link);
    await expect(
      invited.getByRole("heading", { name: "You're invited to be an admin" }),
    ).toBeVisible();
    await expectAccessibleInBothThemes(invited);
    await expectToFit(invited, 360, 768, 1280);
    await invited.getByLabel("Full Name").fill(name);
    await invited.getByLabel("Password", { exact: true }).fill(TEST_PASSWORD);
    await invited.getByRole("checkbox").check();
    await invited.getByRole("button", { name: "Create account and accept" }).click();
    await expect(invited).toHaveURL(/\/admin\/two-step$/);
    await expect(invited.getByText("You have accepted the admin role.")).toBeVisible();
    await expectAccessibleInBothThemes(invited);
    await invited.goto("/admin/users");
    await expect(invited).toHaveURL(/\/admin\/two-step$/);

    await invited.getByRole("link", { name: "Set up" }).click();
    await invited.getByLabel("Your password").fill(TEST_PASSWORD);
    await invited.getByRole("button", { name: "Show key" }).click();
    const key = (await invited.locator("code").textContent()) ?? "";
    await invited.getByLabel("Code shown in your app").fill(computeCode(key));
    await invited.getByRole("button", { name: "Turn on" }).click();
    await expect(invited.getByText("Two-step login is on.")).toBeVisible();
    await invited.goto("/admin/admins");
    await expect(invited.getByText(`${name} (you)`)).toBeVisible();
    await expectAccessibleInBothThemes(invited);
    await expectToFit(invited, 360, 768, 1280);

    await page.goto("/admin/admins");
    await page.getByRole("link", { name: `Remove ${name}` }).click();
    await expect(page.getByRole("heading", { name: `Remove ${name}` })).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await expectToFit(page, 360, 768, 1280);
    await page.getByRole("button", { name: "Remove admin" }).click();
    await expect(page.getByText("Please enter a reason.")).toBeVisible();
    await page.getByLabel("Reason").fill("Left the company");
    await page.getByRole("button", { name: "Remove admin" }).click();
    await expect(page).toHaveURL(/\/admin\/admins$/);
    await expect(page.getByRole("link", { name: `Remove ${name}` })).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Remove Second Admin" })).toBeVisible();

    await invited.goto("/admin/admins");
    await expect(invited).toHaveURL(/\/login/);
  });
});
