import type { Page } from "@playwright/test";
import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { expect, test } from "./test.ts";
import { createBuyer } from "./users.ts";

// Tests that published selections show their publication time, and that a tipster's record is public from
// its first day.

const PUBLISHED = /Published \d{1,2}\s\w{3,4}\s\d{4}, \d\d:\d\d/;
const findPublicRecord = (page: Page) => page.getByRole("region", { name: "Public record" });

/** Opens the public record of the tipster with the most tips and returns the slug. */
async function openTipsterWithHistory(page: Page): Promise<string> {
  const { leaderboard } = await (await page.request.get("/api/leaderboard")).json();
  const { slug } = leaderboard.toSorted(
    (a: { total_tips: number }, b: { total_tips: number }) => b.total_tips - a.total_tips,
  )[0];
  await page.goto(`/tipsters/${slug}/tips`);
  return slug;
}

test("an unlocked race card shows when its selections were published", async ({ page }) => {
  const buyer = await createBuyer(page);
  await page.goto(`/race-cards/${buyer.opened.id}`);
  await expect(page.getByRole("article").getByText(PUBLISHED).first()).toBeVisible();
  await page.goto("/my-cards");
  await expect(page.getByRole("article").getByText(PUBLISHED).first()).toBeVisible();
});

test("public past race cards, tipster pages and track pages show when selections were published", {
  tag: "@day",
}, async ({ page }) => {
  await openTipsterWithHistory(page);
  const record = findPublicRecord(page);
  await expect(record.getByText(PUBLISHED).first()).toBeVisible();
  expect(await record.getByText(PUBLISHED).count()).toBe(
    await record
      .locator("li")
      .filter({ hasText: / R\d+ · / })
      .count(),
  );
  await record
    .getByRole("link", { name: / R\d+$/ })
    .first()
    .click();
  await expect(page.getByText("Public", { exact: true })).toBeVisible();
  await expect(page.getByRole("article").getByText(PUBLISHED).first()).toBeVisible();

  await page.goto("/tracks/kenilworth");
  const pastTips = page.getByRole("table", { name: "Past tips at Kenilworth" });
  await expect(pastTips.getByRole("columnheader", { name: "Published" })).toBeVisible();
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(
    javaScriptEnabled ? "a public record" : "a public record without JavaScript",
    () => {
      test.use({ javaScriptEnabled });

      test("pages back to its first day and contains every public tip once", async ({ page }) => {
        const slug = await openTipsterWithHistory(page);
        const raceDays: string[] = [];
        let count = 0;
        for (let pageNumber = 1; pageNumber < 100; pageNumber += 1) {
          const record = findPublicRecord(page);
          const times = record.getByRole("heading", { level: 3 }).locator("time");
          raceDays.push(
            ...(await times.evaluateAll((elements) =>
              elements.map((element) => element.getAttribute("datetime") as string),
            )),
          );
          count += await record.getByText(PUBLISHED).count();
          const olderLink = record.getByRole("link", { name: "Older" });
          if (!(await olderLink.isVisible())) break;
          const previousUrl = page.url();
          await olderLink.click();
          await expect(page).not.toHaveURL(previousUrl);
          await expect(findPublicRecord(page).getByRole("link", { name: "Newest" })).toBeVisible();
          await expect(findPublicRecord(page).getByRole("heading", { level: 2 })).toBeInViewport();
          const firstDay = findPublicRecord(page)
            .getByRole("heading", { level: 3 })
            .locator("time")
            .first();
          await expect(firstDay).not.toHaveAttribute("datetime", raceDays.at(-1) as string);
        }
        expect(raceDays).toEqual([...new Set(raceDays)].sort().reverse());
        // The demo holds sixty days of history.
        expect(raceDays.length).toBeGreaterThan(20);
        expect(count).toBeGreaterThan(100);

        const selectedDay = raceDays[Math.floor(raceDays.length / 2)] as string;
        await page.goto(`/tipsters/${slug}/tips`);
        await findPublicRecord(page).getByLabel("Up to race day").fill(selectedDay);
        await findPublicRecord(page).getByRole("button", { name: "Show" }).click();
        await expect(page).toHaveURL(new RegExp(`until=${selectedDay}`));
        await expect(
          findPublicRecord(page).getByRole("heading", { level: 3 }).locator("time").first(),
        ).toHaveAttribute("datetime", selectedDay);
      });
    },
  );
}

test("a public record and its figures are accessible in both themes and fit a narrow phone", async ({
  page,
}) => {
  const slug = await openTipsterWithHistory(page);
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 320);
  await page.goto(`/tipsters/${slug}`);
  await expect(
    page.getByRole("img", { name: "Running profit at the starting price" }),
  ).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 320);
});

test("a figure opens the tips that it is made of", async ({ page }) => {
  const slug = await openTipsterWithHistory(page);
  await page.goto(`/tipsters/${slug}`);
  const byTrack = page.getByRole("region", { name: "By track" });
  await byTrack.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/tips\?venue=[a-z]+&tips=counted$/);
  await expect(findPublicRecord(page).getByText(PUBLISHED).first()).toBeVisible();
  await expect(findPublicRecord(page).getByText("Not settled")).toHaveCount(0);
});
