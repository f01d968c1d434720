import type { Page } from "@playwright/test";
import { LIST_PATH } from "#ui/list-path.ts";
import { expectAccessibleInBothThemes } from "./accessibility.ts";
import { currentTime } from "./clock.ts";
import { expect, test } from "./test.ts";
import {
  confirmRacesRun,
  createBuyer,
  findLockedRaceCardOnHome,
  findUnopenedRaceCard,
  signIn,
} from "./users.ts";

const raceCardList = (page: Page) => page.getByRole("region", { name: /^Race cards/ });
const dialog = (page: Page) => page.getByRole("dialog");

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "browsing" : "browsing without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("a venue filters the race cards, and Back shows all again", async ({ page }) => {
      const { venue } = await findUnopenedRaceCard(page);
      await page.goto("/");
      const totalCount = await raceCardList(page).getByRole("article").count();
      await page
        .getByRole("region", { name: "Racing Venues" })
        .getByRole("link", { name: venue, exact: true })
        .click();
      await expect(page).toHaveURL(/\?venue=/);
      await expect(raceCardList(page).getByRole("heading", { level: 2 })).toHaveText(
        new RegExp(`^Race cards for ${venue}, `),
      );
      const raceCards = raceCardList(page).getByRole("article");
      await expect(raceCards.first()).toBeInViewport();
      await expect(raceCardList(page).getByRole("heading", { level: 3 })).toHaveText(venue);
      if (javaScriptEnabled)
        await expect(raceCardList(page).getByRole("heading", { level: 2 })).toBeFocused();
      await page.goBack();
      await expect(raceCardList(page).getByRole("article")).toHaveCount(totalCount);
      await page.goForward();
      await page.getByRole("link", { name: "View All" }).click();
      await expect(page).toHaveURL(LIST_PATH);
    });

    test("chips select day, track and order by links that say what is selected", async ({
      page,
    }) => {
      await page.goto("/");
      const chips = page.getByRole("navigation", { name: "Select race cards" });
      const choose = async (menu: string, option: RegExp) => {
        await chips.locator("summary", { hasText: menu }).click();
        await chips.getByRole("link", { name: option }).click();
      };
      const articles = raceCardList(page).getByRole("article");
      const totalCount = await articles.count();
      await choose("Soonest", /^Most confident/);
      await expect(page).toHaveURL(/\/\?sort=confidence#race-cards$/);
      await expect(
        raceCardList(page).getByRole("heading", { level: 3, name: "Most HIGH tips first" }),
      ).toBeVisible();
      await expect(articles).toHaveCount(totalCount);
      await chips.locator("summary", { hasText: "Confident" }).click();
      await expect(chips.getByRole("link", { name: /^Most confident/ })).toHaveAttribute(
        "aria-current",
        "true",
      );
      await expect(chips.getByRole("link", { name: /^Soonest/ })).not.toHaveAttribute(
        "aria-current",
      );
      await chips.getByRole("link", { name: /^Best record/ }).click();
      await expect(page).toHaveURL(/\/\?sort=record#race-cards$/);
      await page.goBack();
      await expect(page).toHaveURL(/\/\?sort=confidence#race-cards$/);
      await page.goBack();
      await expect(page).toHaveURL("/");
      await expect(chips.locator("summary", { hasText: "Soonest" })).toBeVisible();

      const day = chips.getByRole("link", { name: /^Today/ });
      // With more than two days the link is in a menu.
      if ((await day.count()) > 0 && (await day.getAttribute("aria-current")) === null) {
        await day.click();
        await expect(page.getByText("No race cards, today")).toBeVisible();
        await raceCardList(page).getByRole("link", { name: /^See / }).click();
        await expect(articles).toHaveCount(totalCount);
      }
    });

    test("the leaderboard ranks by record, and by sales on request", async ({ page }) => {
      await page.goto("/");
      const leaderboard = page.getByRole("region", { name: "Tipster Leaderboard" });
      await expect(leaderboard.getByText(/^Last 30 days/)).toBeVisible();
      await expect(leaderboard.getByRole("listitem")).toHaveCount(5);
      await leaderboard.getByRole("link", { name: "Sales" }).click();
      await expect(page).toHaveURL("/?board=sales#leaderboard");
      await expect(leaderboard.getByText(/Score = sales/)).toBeVisible();
      await expect(leaderboard.getByRole("link", { name: "Sales" })).toHaveAttribute(
        "aria-current",
        "page",
      );
      await page.goBack();
      await expect(leaderboard.getByText(/^Last 30 days/)).toBeVisible();
    });
  });
}

test("a viewer whose clock is a year ahead loads the data of the page once more at most", async ({
  page,
}) => {
  const dataUrls: string[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/_.data")) dataUrls.push(response.url());
  });
  const refreshed = page.waitForResponse(/\/_\.data/);
  await page.clock.setFixedTime(new Date(currentTime() + 365 * 24 * 3_600_000));
  await page.goto("/");
  await refreshed;
  await page.waitForTimeout(3_000);
  expect(dataUrls).toHaveLength(1);
});

test("a user's countdown is right after the phone has slept", async ({ page }) => {
  await page.clock.install({ time: currentTime() });
  await signIn(page, "punter@furlong.test");
  const raceCard = await findUnopenedRaceCard(page);
  await page.goto(`/race-cards/${raceCard.id}`);
  const countdown = page.locator('main time[datetime^="PT"]').first();
  const readSeconds = async () =>
    Number(/\d+/.exec((await countdown.getAttribute("datetime")) ?? "")?.[0]);
  const secondsLeft = await readSeconds();
  expect(secondsLeft).toBeGreaterThan(600);
  // The time is later, and no timer has run meanwhile.
  await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + 600_000);
  await expect.poll(readSeconds).toBeLessThanOrEqual(secondsLeft - 600);
});

test("no script is fetched before the first paint", async ({ page }) => {
  await signIn(page, "punter@furlong.test");
  const raceCard = await findUnopenedRaceCard(page);
  for (const path of [LIST_PATH, `/race-cards/${raceCard.id}`, "/contact"]) {
    await page.goto(path);
    const { firstScript, paintedAt } = await page.evaluate(async () => {
      const scripts = () =>
        performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js"));
      while (scripts().length === 0) await new Promise(requestAnimationFrame);
      const [paint] = performance.getEntriesByName("first-contentful-paint");
      const [load] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      // Scripts load after a second even without a paint.
      const fallbackAt = (load?.domInteractive ?? 0) + 900;
      return {
        firstScript: Math.min(...scripts().map(({ startTime }) => startTime)),
        paintedAt: Math.min(paint?.startTime ?? Number.POSITIVE_INFINITY, fallbackAt),
      };
    });
    expect(firstScript, path).toBeGreaterThanOrEqual(paintedAt);
  }
});

test("home is accessible in both themes, for guests and users", async ({ page }) => {
  await page.goto("/");
  await expectAccessibleInBothThemes(page);
  await signIn(page, "punter@furlong.test");
  for (const path of [LIST_PATH, "/my-day"]) {
    await page.goto(path);
    await expectAccessibleInBothThemes(page);
  }
});

test("no page contains locked tips for a visitor who has not paid", { tag: "@day" }, async ({
  page,
  request,
}) => {
  const buyer = await createBuyer(page);
  const { tips } = await (
    await page.request.post(`/api/race-cards/${buyer.opened.id}/unlock`)
  ).json();
  expect(tips.length).toBeGreaterThan(0);
  const urls = ["", ".data"].map((suffix) => `/race-cards/${buyer.opened.id}${suffix}`);
  for (const url of [...urls, "/", "/_.data", `/unlock/${buyer.opened.id}`]) {
    const text = await (await request.get(url)).text();
    for (const { horseName, analysis } of tips) {
      if (url.includes(buyer.opened.id)) expect(text).not.toContain(horseName);
      expect(text).not.toContain(analysis);
    }
  }
});

test.describe("dialogs", () => {
  test("a tipster's dialog opens over the page, restores focus, and closes with Back", async ({
    page,
  }) => {
    await page.goto("/");
    const leaderboard = page.getByRole("region", { name: "Tipster Leaderboard" });
    const tipster = leaderboard.getByRole("listitem").nth(1).getByRole("link");
    const name = (await tipster.textContent()) ?? "";
    await tipster.click();
    await expect(dialog(page).getByRole("heading", { name: "Record by type" })).toBeVisible();
    await expect(dialog(page)).toContainText(name);
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
    await expect(tipster).toBeFocused();
    await expect(page).toHaveURL("/");

    await tipster.click();
    await expect(dialog(page)).toBeVisible();
    await page.goBack();
    await expect(dialog(page)).toHaveCount(0);
    await tipster.click();
    await dialog(page).getByRole("link", { name: "See full record" }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expectAccessibleInBothThemes(page);
  });

  test("a tipster's link opens the page on a phone, and Back returns to the place in the list", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/leaderboard");
    const tipster = page.getByRole("rowheader").nth(9).getByRole("link");
    const name = (await tipster.textContent()) ?? "";
    await tipster.scrollIntoViewIfNeeded();
    const scrollTop = await page.evaluate(() => window.scrollY);
    await tipster.click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(dialog(page)).toHaveCount(0);
    await page.goBack();
    await expect(page).toHaveURL("/leaderboard");
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrollTop);
  });

  test("one dialog replaces another, so that Back and Close return to the page", async ({
    page,
  }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Open race card" }).first().click();
    await expect(dialog(page).getByLabel("Full Name")).toBeVisible();
    await dialog(page).getByRole("link", { name: "I have an account" }).click();
    await expect(dialog(page).getByRole("heading", { name: "Login" })).toBeVisible();
    await page.goBack();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL("/");
    await page.getByRole("link", { name: "Open race card" }).first().click();
    await expect(dialog(page).getByLabel("Full Name")).toBeVisible();
    await dialog(page).getByRole("button", { name: "Close" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL("/");
  });

  test("a guest signs in in the dialog and stays on the page", async ({ page }) => {
    await page.goto("/?venue=kenilworth");
    await page.getByRole("banner").getByRole("link", { name: "Login" }).click();
    await expectAccessibleInBothThemes(page);
    await dialog(page).getByRole("link", { name: "Create one" }).click();
    await expect(dialog(page).getByLabel("Full Name")).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await dialog(page).getByRole("link", { name: "Log in" }).click();
    await dialog(page).getByLabel("Email").fill("punter@furlong.test");
    await dialog(page).locator("input[name=password]").fill("furlong-demo");
    await dialog(page).getByRole("button", { name: "Log In" }).click();
    await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toHaveCount(0);
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL("/?venue=kenilworth");
  });

  test("the profile dialog opens from the name and links to the statement", async ({ page }) => {
    await signIn(page, "punter@furlong.test");
    await page.goto("/");
    await page
      .getByRole("banner")
      .getByTitle(/your profile/)
      .click();
    await expect(dialog(page).getByText("punter@furlong.test")).toBeVisible();
    await expect(dialog(page).getByRole("heading", { name: "Recent purchases" })).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await dialog(page).getByRole("link", { name: "Full statement and account settings" }).click();
    await expect(page.getByRole("heading", { name: "Statement" })).toBeVisible();
  });

  test("a URL that names a dialog opens it", async ({ page }) => {
    await signIn(page, "punter@furlong.test");
    await page.goto("/?buy-coins");
    await expect(dialog(page).getByRole("heading", { name: "Buy Coins" })).toBeVisible();
    await dialog(page).getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL("/");
  });
});

test.describe("the leaderboard", () => {
  test("updates after a sale in every tab over one event stream", async ({ page, context }) => {
    const buyer = await createBuyer(page);
    const streams: string[] = [];
    context.on("request", (request) => {
      if (request.url().endsWith("/events/leaderboard")) streams.push(request.url());
    });
    await page.goto("/?board=sales");
    const otherTab = await context.newPage();
    await otherTab.goto("/?board=sales");
    await expect.poll(() => streams.length).toBe(1);
    const response = await (await page.request.get("/api/leaderboard")).json();
    const topNames: string[] = response.leaderboard
      .slice(0, 5)
      .map((row: { name: string }) => row.name);
    const { id, tipster } = await findUnopenedRaceCard(
      page,
      (raceCard) => raceCard.id !== buyer.opened.id && topNames.includes(raceCard.tipster),
    );
    const findRow = (tab: Page) =>
      tab
        .getByRole("region", { name: "Tipster Leaderboard" })
        .getByRole("listitem")
        .filter({ hasText: tipster });
    const textBefore = await findRow(otherTab).textContent();
    await page.request.post(`/api/race-cards/${id}/unlock`);
    await otherTab.bringToFront();
    await expect(findRow(otherTab)).not.toHaveText(textBefore ?? "");
    await page.bringToFront();
    await expect(findRow(page)).not.toHaveText(textBefore ?? "", { timeout: 35_000 });
    expect(streams).toHaveLength(1);
  });
});

test.describe("the race cards on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test("start at 290 pixels at most, with six of any four tracks in the first 1,100", {
    tag: "@day",
  }, async ({ page }) => {
    await page.goto("/");
    await page.evaluate(async () => void (await document.fonts.ready));
    const list = raceCardList(page);
    const boxes = await list.getByRole("article").evaluateAll((articles) =>
      articles.map((article) => {
        const { top, bottom } = article.getBoundingClientRect();
        const hasNote = article.querySelector(".row-note") !== null;
        return { top: Math.round(top), bottom: Math.round(bottom), hasNote };
      }),
    );
    const top = boxes[0]?.top ?? 0;
    expect(top).toBeLessThanOrEqual(290);
    // Half of the days have six race cards of two tracks first, the others of three or four.
    const trackHeight = Math.max(
      ...(await list
        .getByRole("heading", { level: 3 })
        .evaluateAll((headings) =>
          headings.map((heading) => heading.parentElement?.getBoundingClientRect().height ?? 0),
        )),
    );
    // A scratched horse adds a line to its row.
    const plainRows = boxes.filter((box) => !box.hasNote);
    const rowHeight = Math.max(...plainRows.map((box) => box.bottom - box.top));
    expect(top + 3 * trackHeight + 6 * rowHeight).toBeLessThanOrEqual(1_100);
    if (boxes.length >= 6) expect(boxes[5]?.bottom).toBeLessThanOrEqual(1_100);
  });

  test("are below one row of chips, also with counts of two digits", { tag: "@day" }, async ({
    page,
  }) => {
    await page.goto("/");
    const chips = page
      .getByRole("navigation", { name: "Select race cards" })
      .locator(".chip:visible");
    const tops = await chips.evaluateAll(async (elements) => {
      await document.fonts.ready;
      for (const count of document.querySelectorAll("a.chip > span"))
        count.textContent = "28 cards";
      return elements.map((chip) => chip.getBoundingClientRect().top);
    });
    // The list's track and order, and each day with race cards: none for tomorrow just after midnight.
    expect(tops.length).toBeGreaterThanOrEqual(3);
    expect(new Set(tops).size).toBe(1);
  });

  test("are touch targets of 44 pixels: the row, its button and the chips", {
    tag: "@day",
  }, async ({ page }) => {
    await page.goto("/");
    const button = raceCardList(page).getByRole("link", { name: "Open race card" }).first();
    await button.scrollIntoViewIfNeeded();
    const box = await button.boundingBox();
    if (!box) throw new Error("the button is not visible");
    const [x, middle] = [box.x + box.width / 2, box.y + box.height / 2];
    const hits = await page.evaluate(
      ([x, y]) =>
        [-21, 0, 21].map((offset) =>
          document
            .elementFromPoint(x as number, (y as number) + offset)
            ?.closest("a")
            ?.getAttribute("href"),
        ),
      [x, middle],
    );
    for (const hit of hits) expect(hit).toMatch(/^\/unlock\//);
    for (const chip of await page
      .getByRole("navigation", { name: "Select race cards" })
      .locator(".chip:visible")
      .all())
      expect((await chip.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });
});

test("race squares keep their numbers in forced colours", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/");
  for (const level of ["high", "medium", "low"]) {
    const square = page.locator(`.race-squares > .${level}`).first();
    const [color, background] = await square.evaluate((element) => {
      const style = getComputedStyle(element);
      return [style.color, style.backgroundColor];
    });
    expect(color, level).not.toBe(background);
  }
});

test("the current tab and slide are marked in forced colours", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/");
  const tabs = page.locator(".tab");
  const marks = page.locator(".slide-mark");
  const readMark = (element: Element) => {
    const { borderBottomColor, borderBottomWidth, backgroundColor } = getComputedStyle(element);
    return [borderBottomWidth, borderBottomColor, backgroundColor].join(" ");
  };
  for (const [current, other] of [
    [tabs.first(), tabs.last()],
    [marks.first(), marks.last()],
  ] as const)
    expect(await current.evaluate(readMark)).not.toBe(await other.evaluate(readMark));
});

test("home's HTML is at most 80 kB for a guest and 90 kB for a user, with 1,000 elements", async ({
  page,
}) => {
  for (const [email, maxBytes] of [
    [null, 80_000],
    ["punter@furlong.test", 90_000],
  ] as const) {
    if (email) await signIn(page, email);
    const response = await page.goto(email ? LIST_PATH : "/");
    expect((await response?.body())?.length).toBeLessThanOrEqual(maxBytes);
    expect(await page.locator("*").count()).toBeLessThanOrEqual(1_000);
  }
});

test("a race card that is opened in the list is shown on its own page", async ({ page }) => {
  await createBuyer(page);
  const { id, panel } = await findLockedRaceCardOnHome(page);
  await panel.getByRole("button", { name: "Open race card" }).click();
  const unlocked = page.getByText("Unlocked", { exact: true });
  await confirmRacesRun(page, unlocked);
  await expect(page).toHaveURL(`/race-cards/${id}`);
  await expect(unlocked).toBeVisible();
  await page.goto(LIST_PATH);
  const row = page
    .getByRole("article")
    .filter({ has: page.locator(`a[href="/race-cards/${id}"]`) });
  await expect(row.getByText("Opened", { exact: true })).toBeVisible();
  await expect(row).not.toContainText("R40");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });

  test("nothing scrolls horizontally except carousels, and the menu works", async ({ page }) => {
    await signIn(page, "punter@furlong.test");
    for (const path of [LIST_PATH, "/my-day", "/profile", "/my-cards"]) {
      await page.goto(path);
      const { scrollWidth, clientWidth } = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth,
        clientWidth: document.documentElement.clientWidth,
      }));
      expect(scrollWidth, path).toBeLessThanOrEqual(clientWidth);
    }
    const menu = page.getByRole("banner").getByLabel("Menu").first();
    await menu.click();
    await page.getByRole("banner").getByRole("link", { name: "My cards" }).press("Escape");
    await expect(menu).toBeFocused();
    await menu.click();
    await page.getByRole("banner").getByRole("link", { name: "Race cards" }).click();
    await expect(page).toHaveURL(LIST_PATH);
    await expect(page.getByRole("banner").getByRole("link", { name: "Race cards" })).toBeHidden();
  });
});

test.describe("without a connection", () => {
  test.use({
    expectedConsoleErrors: [/ERR_INTERNET_DISCONNECTED|Failed to (fetch|load resource)/],
  });

  test("the page shows a message, and a failed unlock costs nothing", async ({ page, context }) => {
    await createBuyer(page);
    const { id } = await findUnopenedRaceCard(page);
    // Toasts and dialogs are fetched when the page is idle.
    const preloadedScript = page.waitForResponse(/toast-region/);
    await page.goto(`/race-cards/${id}`);
    await preloadedScript;
    await context.setOffline(true);
    await expect(page.getByText("You're offline. This page may be out of date.")).toBeVisible();
    await page.getByRole("button", { name: "Open race card" }).click();
    await expect(page.getByText("Nothing was sent. No coins were spent.")).toBeVisible();
    await context.setOffline(false);
    await page.getByRole("button", { name: "Open race card" }).click();
    await expect(page.getByText("Unlocked", { exact: true })).toBeVisible();
    await expect(page.getByRole("banner").getByText("0 coins").first()).toBeVisible();
  });

  test("a dialog that fails to load keeps the page, and can be retried", async ({
    page,
    context,
  }) => {
    await page.goto("/");
    await context.setOffline(true);
    await expect(page.getByText("You're offline. This page may be out of date.")).toBeVisible();
    await page.getByRole("link", { name: "Login" }).click();
    const errorRegion = page.getByRole("region", { name: "We couldn't load this" });
    await expect(errorRegion).toBeVisible();
    await expect(raceCardList(page)).toBeVisible();
    await context.setOffline(false);
    await errorRegion.getByRole("button", { name: "Try again" }).click();
    await expect(dialog(page).getByLabel("Email")).toBeVisible();
  });
});

test.describe("after a new release", () => {
  test.use({ expectedConsoleErrors: [/status of 404/] });

  test("a dialog opens as a page when its script no longer exists", async ({ page }) => {
    await signIn(page, "punter@furlong.test");
    const scriptUrl = /buy-coins-dialog/;
    await page.route(scriptUrl, (route) => route.fulfill({ status: 404 }));
    await page.goto("/?buy-coins");
    await expect(dialog(page).getByText("We couldn't load this")).toBeVisible();
    await page.unroute(scriptUrl);
    await dialog(page).getByRole("button", { name: "Try again" }).click();
    await expect(dialog(page).getByRole("heading", { name: "Horse Chestnut" })).toBeVisible();
  });
});

test.describe("an unknown URL", () => {
  test.use({ expectedConsoleErrors: [/status of 404/] });

  test("shows a 404 page with a link home", async ({ page }) => {
    for (const path of ["/nowhere", "/race-cards/nothing", "/tipsters/nobody"]) {
      const response = await page.goto(path);
      expect(response?.status(), path).toBe(404);
      await expect(
        page.getByRole("heading", { name: "Oops! This track doesn't exist" }),
      ).toBeVisible();
    }
    await expectAccessibleInBothThemes(page);
    await page.getByRole("link", { name: "Return to Home" }).click();
    await expect(page).toHaveURL("/");
  });
});

test("the first Tab press shows the skip link", async ({ page }) => {
  await page.goto("/help");
  await page.keyboard.press("Tab");
  const skipLink = page.getByRole("link", { name: "Skip to content" });
  await expect(skipLink).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});
