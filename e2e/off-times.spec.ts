import { signIn } from "./people.ts";
import { expect, test } from "./test.ts";

// In an American browser a field of type "time" shows 12 hours, and is cut off on a narrow phone.
test.use({ locale: "en-US" });

test("an off time is in 24 hours and whole at 360 px, for the tipster and the admin", async ({
  page,
}, { outputPath }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, "tipster@furlong.test");
  await page.goto("/tipster-dashboard/add");
  const offTime = page.getByLabel("Off time");
  await offTime.fill("2:05 PM");
  await offTime.blur();
  await expect(page.getByText("Off time must be in 24 hours, such as 14:05")).toBeVisible();
  await page.screenshot({ path: outputPath("batch-wrong.png") });
  await offTime.fill("1405");
  await offTime.blur();
  await expect(offTime).toHaveValue("14:05");
  await expect(page.getByText("Off time must be in 24 hours")).toHaveCount(0);
  expect(await offTime.evaluate((input) => input.scrollWidth - input.clientWidth)).toBe(0);
  await page.screenshot({ path: outputPath("batch.png") });

  await signIn(page, "admin@furlong.test");
  await page.goto("/admin/venues");
  await page.getByRole("link", { name: "Race days" }).first().click();
  const day = await page.locator("main a[href*='/race-days/20']").first().getAttribute("href");
  await page.goto(day ?? "");
  const first = page.getByLabel("Race 1", { exact: true });
  await first.fill("13h05");
  await first.blur();
  await expect(first).toHaveValue("13:05");
  expect(await first.evaluate((input) => input.scrollWidth - input.clientWidth)).toBe(0);
  await page.getByLabel("First off").fill("1230");
  await page.getByRole("button", { name: "Fill in the times" }).click();
  await expect(first).toHaveValue("12:30");
  await expect(page.getByLabel("Race 2", { exact: true })).toHaveValue("13:05");
  await page.screenshot({ path: outputPath("race-day.png") });
});
