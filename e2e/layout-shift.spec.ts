import type { Page } from "@playwright/test";
import { expect, test } from "./test.ts";
import { createBuyer, findUnopenedRaceCard } from "./users.ts";

type Shift = { value: number; startTime: number; movedElements: string[] };
declare global {
  interface Window {
    shifts: Shift[];
    /** The time of the first paint of the unlocked race card, and the durations of its animations. */
    unlockPaint: { paintedAt: number; animationDurations: number[] } | undefined;
  }
}

/** Starts to record layout shifts with the moved elements. */
async function recordShifts(page: Page): Promise<void> {
  await page.evaluate(async () => {
    type Entry = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    await document.fonts.ready;
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries() as Entry[])
        window.shifts.push({
          value,
          startTime,
          movedElements: sources.map(({ node }) =>
            node instanceof Element ? node.outerHTML.slice(0, 120) : String(node?.textContent),
          ),
        });
    }).observe({ type: "layout-shift" });
  });
}

/** Returns the recorded layout shifts after two more frames. */
async function readShifts(page: Page): Promise<Shift[]> {
  return await page.evaluate(async () => {
    const nextFrame = () => new Promise(requestAnimationFrame);
    await nextFrame();
    await nextFrame();
    return window.shifts;
  });
}

for (const reducedMotion of ["no-preference", "reduce"] as const) {
  test.describe(`unlocking a race card with prefers-reduced-motion: ${reducedMotion}`, () => {
    test.use({ contextOptions: { reducedMotion } });

    test("animates for less than 400 ms and moves only content below", async ({ page }) => {
      const buyer = await createBuyer(page);
      const raceCard = await findUnopenedRaceCard(page, ({ id }) => id !== buyer.opened.id);
      await page.goto(`/race-cards/${raceCard.id}`);
      const contentAbove = page.locator("header, article > ol");
      const readPositions = async () =>
        await contentAbove.evaluateAll((elements) =>
          elements.map((element) => JSON.stringify(element.getBoundingClientRect())),
        );
      const positionsBefore = await readPositions();
      await recordShifts(page);
      await page.evaluate(() => {
        const observer = new MutationObserver(() => {
          const cover = document.querySelector(".reveal-cover");
          if (!cover) return;
          observer.disconnect();
          requestAnimationFrame(() =>
            requestAnimationFrame(() => {
              const animations = cover.parentElement?.getAnimations({ subtree: true }) ?? [];
              window.unlockPaint = {
                paintedAt: performance.now(),
                animationDurations: animations.map(({ effect }) =>
                  Number(effect?.getComputedTiming().endTime),
                ),
              };
            }),
          );
        });
        observer.observe(document.body, { subtree: true, childList: true });
      });
      await page.getByRole("button", { name: "Open race card" }).click();
      await expect(page.getByText("Unlocked", { exact: true })).toBeVisible();
      await expect(page.locator(".reveal-cover")).toBeHidden();
      const unlockPaint = await page.evaluate(() => window.unlockPaint);
      const longestMs = Math.max(0, ...(unlockPaint?.animationDurations ?? []));
      if (reducedMotion === "reduce") expect(longestMs).toBeLessThan(1);
      else expect(longestMs).toBeGreaterThan(0);
      expect(longestMs).toBeLessThan(400);
      expect(await readPositions()).toEqual(positionsBefore);
      const laterShifts = (await readShifts(page)).filter(
        ({ startTime }) => startTime > (unlockPaint?.paintedAt ?? 0),
      );
      expect(laterShifts).toEqual([]);
    });
  });
}

for (const width of [360, 1280]) {
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height: 900 } });

    for (const name of ["a race card", "home"])
      test(`a countdown to the off on ${name} causes no layout shift`, async ({ page }) => {
        await page.clock.install();
        const raceCard = await findUnopenedRaceCard(page);
        await page.goto(name === "home" ? "/" : `/race-cards/${raceCard.id}`);
        const countdown = page.locator('main time[datetime^="PT"]').first();
        const readSeconds = async () =>
          Number(/\d+/.exec((await countdown.getAttribute("datetime")) ?? "")?.[0]);
        const secondsLeft = await readSeconds();
        await recordShifts(page);
        for (const seconds of [60 * 60 + 5, 59 * 60 + 58, 11 * 60, 9 * 60 + 58, 58, 5].filter(
          (value) => value < secondsLeft,
        )) {
          await page.clock.fastForward(((await readSeconds()) - seconds) * 1000);
          await expect.poll(readSeconds).toBeLessThanOrEqual(seconds);
        }
        expect(await readShifts(page)).toEqual([]);
      });

    test("leaderboard rows change rank without a layout shift", async ({ page }) => {
      const { leaderboard } = await (await page.request.get("/api/leaderboard")).json();
      const names: string[] = leaderboard.map((row: { name: string }) => row.name).slice(0, 5);
      const reversed = [...leaderboard.slice(0, 5)]
        .reverse()
        .map((row: object, index: number) => ({ ...row, rank: index + 1 }));
      await page.route("**/api/leaderboard", (route) =>
        route.fulfill({ json: { leaderboard: reversed } }),
      );
      const leaderboardRegion = page.getByRole("region", { name: "Tipster Leaderboard" });
      // Updates arrive while the leaderboard is visible.
      let startUpdates: () => void = () => {};
      const updatesStarted = new Promise<void>((resolve) => {
        startUpdates = resolve;
      });
      await page.route("**/events/leaderboard", async (route) => {
        await updatesStarted;
        await route.fulfill({
          contentType: "text/event-stream",
          body: "event: leaderboard\ndata: {}\n\n",
        });
      });
      await page.goto("/?board=sales");
      await leaderboardRegion.scrollIntoViewIfNeeded();
      await expect(leaderboardRegion.getByRole("listitem").first()).toContainText(names[0] ?? "");
      await recordShifts(page);
      startUpdates();
      await expect(leaderboardRegion.getByRole("listitem").first()).toContainText(names[4] ?? "");
      expect(await readShifts(page)).toEqual([]);
    });
  });
}

test("a visible tab updates without layout shift when another tab logs out", async ({
  page,
  context,
}) => {
  const otherPage = await context.newPage();
  for (const buildPath of [
    () => "/",
    (raceCardId: string) => `/race-cards/${raceCardId}`,
    () => "/profile",
  ]) {
    const buyer = await createBuyer(page);
    const path = buildPath(buyer.opened.id);
    await page.goto(path);
    await otherPage.goto("/help");
    await recordShifts(page);
    await otherPage.getByRole("banner").getByRole("button", { name: "Logout" }).click();
    await expect(
      page.getByRole("banner").getByRole("link", { name: "Login" }).first(),
    ).toBeVisible();
    expect(await readShifts(page), path).toEqual([]);
    await expect(page.locator("body")).toHaveCSS("visibility", "visible");
    await expect(
      otherPage.getByRole("heading", { name: "You have been logged out" }),
    ).toBeVisible();
  }
});
