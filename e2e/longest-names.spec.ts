import { expectToFit } from "./accessibility.ts";
import { expect, test } from "./test.ts";
import { elsewhere, newAnalyst, newReader, OWN_PASSWORD, publishTip, signIn } from "./users.ts";

// The longest valid name without spaces fits every screen that shows it
// on a phone.

const WIDTHS = [320, 360, 768];

test("a name of maximum length fits every screen", async ({ page, browser }) => {
  test.setTimeout(240_000);
  const unbroken = `Wolkenkrabbergeskiedenis${Date.now()}`.padEnd(60, "m");
  const horse = "Onoorwinlikheidsgevoelens".padEnd(60, "n");
  await signIn(page, "admin@furlong.test");
  const analyst = await newAnalyst(page, browser, {
    fullName: unbroken.padEnd(120, "o"),
    displayName: unbroken,
  });
  const look = async (own: typeof page, paths: string[]) => {
    for (const path of paths) {
      expect((await own.goto(path))?.status(), path).toBe(200);
      await expectToFit(own, ...WIDTHS);
    }
  };

  await elsewhere(browser, async (own) => {
    await publishTip(own, analyst.email, horse);
    await look(own, ["/tipster-dashboard", "/tipster-dashboard/profile", "/admin/add-tip"]);
  });
  const { raceCards } = await (await page.request.get("/api/race-cards?venue=scottsville")).json();
  const card = raceCards.find(({ tipster }: { tipster: string }) => tipster === unbroken);
  expect(card).toBeTruthy();

  await elsewhere(browser, async (own) => {
    await newReader(own, unbroken.padEnd(120, "p"));
    await own.goto(`/race-cards/${card.id}`);
    await own.getByRole("button", { name: "Open race card" }).click();
    await expect(own.getByText(horse).first()).toBeVisible();
    await look(own, [`/race-cards/${card.id}`, "/my-cards", "/profile", "/"]);
  });
  const slug = unbroken.toLowerCase();
  await elsewhere(browser, (guest) =>
    look(guest, [
      "/?venue=scottsville",
      `/race-cards/${card.id}`,
      `/unlock/${card.id}`,
      `/tipsters/${slug}`,
      "/tracks/scottsville",
      "/top-analysts?kind=analyst",
      "/leaderboard",
    ]),
  );
  await look(page, [
    `/admin?search=${horse}`,
    `/admin/race-cards/${card.id}`,
    `/admin/tipsters?search=${unbroken}`,
    `/admin/users?search=${unbroken}`,
    "/admin/sales",
    "/admin/audit",
  ]);
  await signIn(page, analyst.email, OWN_PASSWORD);
  await look(page, ["/tipster-dashboard/earnings", "/tipster-dashboard/add"]);
});
