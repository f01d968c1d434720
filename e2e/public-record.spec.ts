import type { Page } from "@playwright/test";
import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { expect, test } from "./test.ts";
import { newReader } from "./users.ts";

// Every published selection is shown with the time it was published, and a tipster's record is public
// back to its first day.

const PUBLISHED = /Published \d{1,2}\s\w{3,4}\s\d{4}, \d\d:\d\d/;
const results = (page: Page) => page.getByRole("region", { name: "Public record" });

/** Returns the path of a tipster with a long history. */
async function openTipster(page: Page): Promise<string> {
  const { leaderboard } = await (await page.request.get("/api/leaderboard")).json();
  const { slug } = leaderboard.toSorted(
    (a: { total_tips: number }, b: { total_tips: number }) => b.total_tips - a.total_tips,
  )[0];
  await page.goto(`/tipsters/${slug}`);
  return slug;
}

test("an unlocked race card shows when its selections were published", async ({ page }) => {
  const reader = await newReader(page);
  await page.goto(`/race-cards/${reader.opened.id}`);
  await expect(page.getByRole("article").getByText(PUBLISHED).first()).toBeVisible();
  await page.goto("/my-cards");
  await expect(page.getByRole("article").getByText(PUBLISHED).first()).toBeVisible();
});

test("public past cards, tipster pages and track pages show when selections were published", async ({
  page,
}) => {
  await openTipster(page);
  const record = results(page);
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
  const past = page.getByRole("table", { name: "Past tips at Kenilworth" });
  await expect(past.getByRole("columnheader", { name: "Published" })).toBeVisible();
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "a public record" : "a public record without scripts", () => {
    test.use({ javaScriptEnabled });

    test("pages back to its first day and contains every public tip once", async ({ page }) => {
      const slug = await openTipster(page);
      const days: string[] = [];
      let count = 0;
      for (let pages = 1; pages < 100; pages += 1) {
        const record = results(page);
        const headings = await record.getByRole("heading", { level: 3 }).locator("time").all();
        for (const heading of headings)
          days.push((await heading.getAttribute("datetime")) as string);
        count += await record.getByText(PUBLISHED).count();
        const older = record.getByRole("link", { name: "Older" });
        if (!(await older.isVisible())) break;
        const before = page.url();
        await older.click();
        await expect(page).not.toHaveURL(before);
        await expect(results(page).getByRole("link", { name: "Newest" })).toBeVisible();
        await expect(results(page).getByRole("heading", { level: 2 })).toBeInViewport();
        const first = results(page).getByRole("heading", { level: 3 }).locator("time").first();
        await expect(first).not.toHaveAttribute("datetime", days.at(-1) as string);
      }
      expect(days).toEqual([...new Set(days)].sort().reverse());
      // The demo holds sixty days of history.
      expect(days.length).toBeGreaterThan(20);
      expect(count).toBeGreaterThan(100);

      const wanted = days[Math.floor(days.length / 2)] as string;
      await page.goto(`/tipsters/${slug}`);
      await results(page).getByLabel("Up to race day").fill(wanted);
      await results(page).getByRole("button", { name: "Show" }).click();
      await expect(page).toHaveURL(new RegExp(`until=${wanted}`));
      await expect(
        results(page).getByRole("heading", { level: 3 }).locator("time").first(),
      ).toHaveAttribute("datetime", wanted);
    });
  });
}

test("a public record is accessible in both themes and fits a narrow phone", async ({ page }) => {
  await openTipster(page);
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 320);
});
