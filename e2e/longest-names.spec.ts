import { expectToFit } from "./accessibility.ts";
import { expect, test } from "./test.ts";
import {
  createAnalyst,
  createBuyer,
  createUniqueNumber,
  inAnotherBrowser,
  publishTip,
  signIn,
  TEST_PASSWORD,
} from "./users.ts";

// Tests that the longest valid name without spaces fits every screen that shows it.

const WIDTHS = [320, 360, 768];

test("a name of maximum length fits every screen", async ({ page, browser }) => {
  const longName = `Wolkenkrabbergeskiedenis${createUniqueNumber()}`.padEnd(60, "m");
  const horse = "Onoorwinlikheidsgevoelens".padEnd(60, "n");
  await signIn(page, "admin@furlong.test");
  const analyst = await createAnalyst(browser, {
    fullName: longName.padEnd(120, "o"),
    displayName: longName,
  });
  const expectPagesToFit = async (viewerPage: typeof page, paths: string[]) => {
    for (const path of paths) {
      expect((await viewerPage.goto(path))?.status(), path).toBe(200);
      await expectToFit(viewerPage, ...WIDTHS);
    }
  };

  await inAnotherBrowser(browser, async (analystPage) => {
    await publishTip(analystPage, analyst.email, horse);
    await expectPagesToFit(analystPage, [
      "/tipster-dashboard",
      "/tipster-dashboard/tips",
      "/tipster-dashboard/results",
      "/tipster-dashboard/profile",
      "/admin/add-tip",
    ]);
  });
  const { raceCards } = await (await page.request.get("/api/race-cards?venue=scottsville")).json();
  const raceCard = raceCards.find(({ tipster }: { tipster: string }) => tipster === longName);
  expect(raceCard).toBeTruthy();

  await inAnotherBrowser(browser, async (buyerPage) => {
    await createBuyer(buyerPage, { name: longName.padEnd(120, "p") });
    await buyerPage.goto(`/race-cards/${raceCard.id}`);
    await buyerPage.getByRole("button", { name: "Open race card" }).click();
    await expect(buyerPage.getByText(horse).first()).toBeVisible();
    await expectPagesToFit(buyerPage, [`/race-cards/${raceCard.id}`, "/my-cards", "/profile", "/"]);
    // The width at which the bar has its links, and the least space for the name.
    await buyerPage.setViewportSize({ width: 1024, height: 740 });
    const bar = buyerPage.getByRole("banner");
    const [logo, logout] = [
      await bar.getByRole("link", { name: "Furlong" }).boundingBox(),
      await bar.getByRole("button", { name: "Logout" }).boundingBox(),
    ];
    const right = (logout?.x ?? 0) + (logout?.width ?? 1_024);
    expect(right).toBeLessThanOrEqual((await bar.evaluate((element) => element.clientWidth)) - 24);
    expect(logo?.x).toBeGreaterThanOrEqual(20);
  });
  const slug = longName.toLowerCase();
  await inAnotherBrowser(browser, (guestPage) =>
    expectPagesToFit(guestPage, [
      "/?venue=scottsville",
      `/race-cards/${raceCard.id}`,
      `/unlock/${raceCard.id}`,
      `/tipsters/${slug}`,
      "/tracks/scottsville",
      "/top-analysts?kind=analyst",
      "/leaderboard",
    ]),
  );
  await expectPagesToFit(page, [
    `/admin/tips?search=${horse}`,
    `/admin/race-cards/${raceCard.id}`,
    `/admin/tipsters?search=${longName}`,
    `/admin/users?search=${longName}`,
    `/admin/search?search=${longName.slice(0, -1)}`,
    "/admin/search?search=today",
    "/admin/purchases",
    "/admin/audit",
  ]);
  await signIn(page, analyst.email, TEST_PASSWORD);
  await expectPagesToFit(page, ["/tipster-dashboard/earnings", "/tipster-dashboard/add"]);
});

test("a track's longest name fits the list of race cards", async ({ page }) => {
  await page.goto("/");
  const name = page.locator(".group-head h3 a").first();
  await name.evaluate((link) => {
    link.textContent = "Onoorwinlikheidsgevoelensrenbaan".padEnd(80, "n");
  });
  await expectToFit(page, ...WIDTHS);
});

test("Today fits the longest names of tracks, tipsters and addresses", async ({ page }) => {
  await signIn(page, "admin@furlong.test");
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: "In total" })).toBeVisible();
  // Which tasks there are depends on the other tests, but all have one shape.
  const names = page.locator(
    "main :is(th[scope=row] > span > span:last-child, ul > li > a.link, ol > li > a.link)",
  );
  expect(await names.count()).toBeGreaterThan(0);
  await names.evaluateAll((elements) => {
    for (const element of elements)
      element.textContent = "Wolkenkrabbergeskiedenis".padEnd(120, "m");
  });
  await expectToFit(page, ...WIDTHS);
});
