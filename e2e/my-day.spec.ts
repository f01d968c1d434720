import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { daysFromToday } from "./clock.ts";
import { expect, test } from "./test.ts";
import { createBuyer } from "./users.ts";

// The page of the race cards that a user has opened for today.

test.use({
  serviceWorkers: "allow",
  expectedConsoleErrors: [/ERR_INTERNET_DISCONNECTED|Failed to (fetch|load resource)/],
});

test("home opens as My day for a buyer, whose analyses open and can be read offline", async ({
  page,
  context,
}) => {
  const { raceCards } = await (
    await page.request.get(`/api/race-cards?date=${daysFromToday(0)}`)
  ).json();
  const ids = raceCards.map(({ id }: { id: string }) => id);
  const { opened } = await createBuyer(page, { opens: ({ id }) => ids.includes(id) });
  await page.goto("/");
  await expect(page).toHaveURL("/my-day");
  const nextOff = page.getByRole("region", { name: "Next off" });
  await expect(nextOff).toContainText(opened.tipster);
  const analysis = nextOff.getByRole("link", { name: `${opened.tipster}: whole race card` });
  await expect(analysis).toBeHidden();
  await nextOff.locator("summary").first().click();
  await expect(analysis).toBeVisible();
  await expectToFit(page);
  await expectAccessibleInBothThemes(page);

  const chips = page.getByRole("navigation", { name: "Select a page of the day" });
  await chips.getByRole("link", { name: /^On sale/ }).click();
  await expect(page.getByRole("heading", { name: "Race cards for today" })).toBeAttached();
  await page.getByRole("main").getByRole("link", { name: "My day, 1 card" }).click();
  await expect(nextOff).toBeVisible();

  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
    .toBe(true);
  await page.reload();
  await expect.poll(() => page.evaluate(() => caches.match("/my-day").then(Boolean))).toBe(true);
  await context.setOffline(true);
  await page.goto("/");
  await expect(page).toHaveURL("/my-day");
  await expect(page.getByText(/^Saved copy from/)).toBeVisible();
  await expect(nextOff).toBeVisible();
  await expect(nextOff.locator(".group-next")).toBeHidden();
});
