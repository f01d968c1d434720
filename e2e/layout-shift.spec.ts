import type { Page } from "@playwright/test";
import { expect, test } from "./test.ts";
import { cardOnSale, newReader } from "./users.ts";

type Shift = { value: number; startTime: number; moved: string[] };
declare global {
  interface Window {
    shifts: Shift[];
    /** When the unlocked race card was first painted, and the duration of its animations. */
    opened: { at: number; animations: number[] } | undefined;
  }
}

/** Starts to record layout shifts with the moved elements. */
async function watchForShifts(page: Page): Promise<void> {
  await page.evaluate(async () => {
    type Entry = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    await document.fonts.ready;
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries() as Entry[])
        window.shifts.push({
          value,
          startTime,
          moved: sources.map(({ node }) =>
            node instanceof Element ? node.outerHTML.slice(0, 120) : String(node?.textContent),
          ),
        });
    }).observe({ type: "layout-shift" });
  });
}

/** Returns the recorded layout shifts after two more frames. */
async function shifts(page: Page): Promise<Shift[]> {
  return await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    return window.shifts;
  });
}

for (const reducedMotion of ["no-preference", "reduce"] as const) {
  test.describe(`unlocking a race card with prefers-reduced-motion: ${reducedMotion}`, () => {
    test.use({ contextOptions: { reducedMotion } });

    test("animates for less than 400 ms and moves only content below", async ({ page }) => {
      const reader = await newReader(page);
      const card = await cardOnSale(page, ({ id }) => id !== reader.opened.id);
      await page.goto(`/race-cards/${card.id}`);
      const above = page.locator("header, article > ol");
      const places = async () =>
        await above.evaluateAll((all) =>
          all.map((each) => JSON.stringify(each.getBoundingClientRect())),
        );
      const before = await places();
      await watchForShifts(page);
      await page.evaluate(() => {
        const seen = new MutationObserver(() => {
          const blinker = document.querySelector(".blinker-off");
          if (!blinker) return;
          seen.disconnect();
          requestAnimationFrame(() =>
            requestAnimationFrame(() => {
              const moving = blinker.parentElement?.getAnimations({ subtree: true }) ?? [];
              window.opened = {
                at: performance.now(),
                animations: moving.map(({ effect }) => Number(effect?.getComputedTiming().endTime)),
              };
            }),
          );
        });
        seen.observe(document.body, { subtree: true, childList: true });
      });
      await page.getByRole("button", { name: "Open race card" }).click();
      await expect(page.getByText("Unlocked", { exact: true })).toBeVisible();
      await expect(page.locator(".blinker-off")).toBeHidden();
      const opened = await page.evaluate(() => window.opened);
      const longest = Math.max(0, ...(opened?.animations ?? []));
      if (reducedMotion === "reduce") expect(longest).toBeLessThan(1);
      else expect(longest).toBeGreaterThan(0);
      expect(longest).toBeLessThan(400);
      expect(await places()).toEqual(before);
      const later = (await shifts(page)).filter(({ startTime }) => startTime > (opened?.at ?? 0));
      expect(later).toEqual([]);
    });
  });
}

for (const width of [360, 1280]) {
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("a countdown to the off causes no layout shift", async ({ page }) => {
      await page.clock.install();
      const card = await cardOnSale(page);
      await page.goto(`/race-cards/${card.id}`);
      const countdown = page.getByRole("article").first().locator('time[datetime^="PT"]');
      const left = Number(/\d+/.exec((await countdown.getAttribute("datetime")) ?? "")?.[0]);
      await watchForShifts(page);
      for (const seconds of [11 * 60, 9 * 60 + 58, 58, 5].filter((each) => each < left)) {
        const now = Number(/\d+/.exec((await countdown.getAttribute("datetime")) ?? "")?.[0]);
        await page.clock.fastForward((now - seconds) * 1000);
        await expect
          .poll(async () =>
            Number(/\d+/.exec((await countdown.getAttribute("datetime")) ?? "")?.[0]),
          )
          .toBeLessThanOrEqual(seconds);
      }
      expect(await shifts(page)).toEqual([]);
    });

    test("leaderboard rows change rank without a layout shift", async ({ page }) => {
      const { leaderboard } = await (await page.request.get("/api/leaderboard")).json();
      const names: string[] = leaderboard.map((each: { name: string }) => each.name).slice(0, 5);
      const turned = [...leaderboard.slice(0, 5)]
        .reverse()
        .map((each: object, index: number) => ({ ...each, rank: index + 1 }));
      await page.route("**/api/leaderboard", (route) =>
        route.fulfill({ json: { leaderboard: turned } }),
      );
      const board = page.getByRole("region", { name: "Tipster Leaderboard" });
      // Updates arrive while the leaderboard is visible.
      let isWatched: () => void = () => {};
      const watched = new Promise<void>((done) => {
        isWatched = done;
      });
      await page.route("**/events/leaderboard", async (route) => {
        await watched;
        await route.fulfill({
          contentType: "text/event-stream",
          body: "event: leaderboard\ndata: {}\n\n",
        });
      });
      await page.goto("/");
      await board.scrollIntoViewIfNeeded();
      await expect(board.getByRole("listitem").first()).toContainText(names[0] ?? "");
      await watchForShifts(page);
      isWatched();
      await expect(board.getByRole("listitem").first()).toContainText(names[4] ?? "");
      expect(await shifts(page)).toEqual([]);
    });
  });
}

test("a visible tab updates without layout shift when another tab logs out", async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  for (const pathOf of [
    () => "/",
    (raceCardId: string) => `/race-cards/${raceCardId}`,
    () => "/profile",
  ]) {
    const reader = await newReader(page);
    const path = pathOf(reader.opened.id);
    await page.goto(path);
    await other.goto("/help");
    await watchForShifts(page);
    await other.getByRole("banner").getByRole("button", { name: "Logout" }).click();
    await expect(
      page.getByRole("banner").getByRole("link", { name: "Login" }).first(),
    ).toBeVisible();
    expect(await shifts(page), path).toEqual([]);
    await expect(page.locator("body")).toHaveCSS("visibility", "visible");
    await expect(other.getByRole("heading", { name: "You have been logged out" })).toBeVisible();
  }
});
