import type { Page } from "@playwright/test";
import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { daysFromToday } from "./clock.ts";
import { expect, test } from "./test.ts";
import { createVenue, inAnotherBrowser, signIn } from "./users.ts";

// Tests how an admin enters races and runners: by the form, by pasting and from a file.

test.use({ expectedConsoleErrors: [/status of (409|422)/] });

const RACES = 8;
const RUNNERS_PER_RACE = [13, 12, 13, 12, 13, 12, 13, 12];

/** Signs in as an admin and adds a venue for the test. Returns its name. */
async function createOwnVenue(page: Page): Promise<string> {
  await signIn(page, "admin@furlong.test");
  return await createVenue(page);
}

/** Opens the form of a race day at a new venue. */
async function openRaceDay(page: Page): Promise<void> {
  await openRaceDayOf(page, await createOwnVenue(page), daysFromToday(3));
}

async function openRaceDayOf(page: Page, venue: string, raceDate: string): Promise<void> {
  await page.goto("/admin/venues");
  const row = page.getByRole("row").filter({ hasText: venue });
  const path = await row.getByRole("link", { name: "Race days" }).getAttribute("href");
  await page.goto(`${path}/${raceDate}`);
}

/** Returns the runners of a race as copied from a spreadsheet. */
function createRows(raceNumber: number, prefix = ""): string {
  const count = RUNNERS_PER_RACE[raceNumber - 1] ?? 0;
  return Array.from({ length: count }, (_, index) =>
    [
      `${prefix}${index + 1}`,
      `Horse ${raceNumber} ${index + 1}`,
      `Jockey ${index + 1}`,
      "T. One",
      count - index,
    ].join("\t"),
  ).join("\n");
}

test("enters eight races with 100 runners, scratches one, and shows them after a reload", async ({
  page,
}) => {
  await openRaceDay(page);
  await page.getByLabel("First off").fill("12:30");
  await page.getByLabel("Races", { exact: true }).fill(String(RACES));
  await page.getByRole("button", { name: "Fill in the times" }).click();
  const rows = Array.from({ length: RACES }, (_, index) => createRows(index + 1, `${index + 1}\t`));
  await page.getByLabel("Runners of the whole day").fill(rows.join("\n"));
  await page.getByLabel("Source").fill("Track office");
  await page.getByRole("button", { name: "Save race day" }).click();
  await expect(page.getByText("Race day saved.").first()).toBeVisible();
  await page.reload();
  const race3 = page.getByLabel("Runners of race 3", { exact: false });
  await expect(race3).toHaveValue(createRows(3));
  await expect(page.getByText("13 runners").first()).toBeVisible();

  await race3.fill(createRows(3).replace("T. One\t5", "T. One\t5, scratched"));
  await page.getByRole("button", { name: "Save race day" }).click();
  await expect(page.getByText("12 runners, 1 scratched")).toBeVisible();

  await race3.fill("4\tHorse 3 4\nfive\tHorse 3 5");
  await page.getByRole("button", { name: "Save race day" }).click();
  await expect(page.getByText("Line 2: start with the horse number")).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 360, 768, 1280);
});

/** Declares three runners of race 1, of which no. 2 is scratched, and none of race 2. */
async function declareRunners(page: Page, venue: string, raceDate: string): Promise<void> {
  const line = (race: number, off: string, number = "", horse = "", status = "") =>
    [raceDate, venue, race, off, number, horse, status, "Track office"].join(",");
  await page.goto("/admin/race-days/import");
  await page
    .getByLabel("Or paste its contents")
    .fill(
      [
        "date,venue,race,off,number,horse,status,source",
        line(1, "12:30", "1", "Harbour Light"),
        line(1, "12:30", "2", "Sea Mist", "scratched"),
        line(1, "12:30", "3", "Karoo Star"),
        line(2, "13:05"),
      ].join("\n"),
    );
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByText("1 race day imported.")).toBeVisible();
}

test("a tipster chooses a declared runner by keyboard", async ({ page, browser }) => {
  const raceDate = daysFromToday(13);
  const venue = await createOwnVenue(page);
  await declareRunners(page, venue, raceDate);
  await inAnotherBrowser(browser, async (tipster) => {
    await signIn(tipster, "tipster@furlong.test");
    await tipster.goto("/tipster-dashboard/add");
    await tipster.getByLabel("Race date").fill(raceDate);
    await tipster.getByLabel("Venue").selectOption({ label: venue });
    const horse = tipster.getByLabel("Horse", { exact: true });
    // All races are laid out. Race 2 has no declared runners, so its horse is free text.
    await expect(tipster.locator("[data-race]")).toHaveCount(2);
    await expect(tipster.getByLabel("Horse number")).toHaveCount(1);
    await expect(horse.locator("xpath=following::datalist[1]/option")).toHaveCount(2);
    await tipster.getByRole("button", { name: "Publish tip" }).click();
    await expect(tipster.getByText("Please enter the horse number").first()).toBeVisible();
    await expectAccessibleInBothThemes(tipster);
    await expectToFit(tipster, 360, 768, 1280);

    const { keyboard } = tipster;
    await horse.fill("sea");
    await keyboard.press("Enter");
    await expect(tipster.getByText("2 Sea Mist is scratched")).toBeVisible();
    await horse.fill("kar");
    await keyboard.press("Enter");
    await expect(horse).toHaveValue("3 Karoo Star");
    await keyboard.press("Space");
    await keyboard.press("Enter");
    await keyboard.press("Space");
    await keyboard.press("Enter");
    await keyboard.type("Well drawn.");
    await keyboard.press("Shift+Enter");
    await keyboard.type("Fit.");
    // The next race takes over the tip type and confidence.
    await expect(tipster.getByRole("radio", { name: "Win" }).nth(1)).toBeChecked();
    await tipster.getByRole("button", { name: "1 without a horse" }).click();
    await expect(tipster.getByLabel("Horse number")).toBeFocused();
    await tipster.getByRole("button", { name: "Publish tip" }).click();
    const confirmation = tipster.getByRole("alertdialog");
    await expect(confirmation.getByRole("listitem")).toHaveText([
      /Karoo Star.*Win.*HIGH[\s\S]*Fit\./,
    ]);
    await expect(confirmation).toContainText("Left out, because no horse is chosen: race 2.");
    await confirmation.getByRole("button", { name: "Publish" }).click();
    await expect(tipster.getByText("1 race published")).toBeVisible();
  });
});

test("an admin scratches a horse and moves the off of one race", async ({ page }) => {
  const raceDate = daysFromToday(3);
  const venue = await createOwnVenue(page);
  await declareRunners(page, venue, raceDate);
  await openRaceDayOf(page, venue, raceDate);
  await page.getByRole("link", { name: "Race 1, off and scratchings" }).click();
  await expect(page.getByRole("checkbox", { name: "2 Sea Mist" })).toBeChecked();
  await page.getByRole("checkbox", { name: "1 Harbour Light" }).check();
  await page.getByLabel("Off", { exact: true }).fill("1302");
  await page.getByRole("button", { name: "Save race" }).click();
  await expect(
    page.getByText(/^Saved: race 1 off .* → 13:02, race 1 #1 Harbour Light scratched/),
  ).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 320, 360, 768, 1280);
  await page.reload();
  await expect(page.getByRole("checkbox", { name: "1 Harbour Light" })).toBeChecked();
  await expect(page.getByLabel("Off", { exact: true })).toHaveValue("13:02");
  await page.getByRole("link", { name: "Race 2", exact: true }).click();
  await expect(page.getByText("No runners are declared for this race.")).toBeVisible();
});

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "two admins" : "two admins without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("choose at the button between their changes of the same race", async ({
      page,
      context,
    }) => {
      await openRaceDay(page);
      const otherPage = await context.newPage();
      await otherPage.goto(page.url());
      const save = async (adminPage: Page, off: string) => {
        await adminPage.getByLabel("Race 1", { exact: true }).fill(off);
        await adminPage.getByLabel("Source").fill("Track office");
        await adminPage.getByRole("button", { name: "Save race day" }).click();
      };
      await otherPage.getByLabel("Going", { exact: true }).selectOption("Soft");
      await save(otherPage, "12:00");
      await expect(otherPage.getByText("Race day saved.").first()).toBeVisible();
      if (javaScriptEnabled) {
        // The page reads its data again when its window gains focus.
        const revalidation = page.waitForResponse(/race-days\/.*\.data/);
        await page.evaluate(() => {
          const originalNow = Date.now;
          Date.now = () => originalNow() + 60_000;
          window.dispatchEvent(new Event("focus"));
        });
        await revalidation;
      }
      await save(page, "12:10");
      const choice = page.getByRole("group", { name: "Race 1, off" });
      await expect(choice).toBeInViewport();
      await expect(choice.getByRole("radio", { checked: true })).toHaveCount(0);
      await expect(page.getByRole("button", { name: "Save race day" })).toBeInViewport();
      if (javaScriptEnabled) {
        await expectAccessibleInBothThemes(page);
        await expectToFit(page, 360, 768, 1280);
      }
      await choice.getByRole("radio", { name: "Theirs: 12:00" }).check();
      await page.getByRole("button", { name: "Save race day" }).click();
      await expect(page.getByText(/^Race day saved/).first()).toBeVisible();
      await expect(page.getByLabel("Race 1", { exact: true })).toHaveValue("12:00");
      await expect(page.getByLabel("Going", { exact: true })).toHaveValue("Soft");
      await otherPage.close();
    });
  });

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "the import" : "the import without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("previews a file, imports it, and refuses unknown columns", async ({ page }) => {
      const venue = await createOwnVenue(page);
      const raceDate = daysFromToday(3);
      const importText = async (text: string) => {
        await page.goto("/admin/race-days/import");
        await page.getByLabel("CSV or JSON file").setInputFiles({
          name: "card.csv",
          mimeType: "text/csv",
          buffer: Buffer.from(text),
        });
        await page.getByRole("button", { name: "Preview" }).click();
      };
      await importText(`date,venue,race,odds\n${raceDate},${venue},1,5`);
      await expect(page.getByText("Unknown column: odds")).toBeVisible();
      if (javaScriptEnabled) await expectAccessibleInBothThemes(page);

      const header = "date,venue,race,off,number,horse,status,source";
      await importText(`${header}\n${raceDate},${venue},5,14:20,9,Sea Mist,,NHA`);
      await expect(page.getByText("Race 5 new, off 14:20, 1 runner")).toBeVisible();
      if (javaScriptEnabled) {
        await expectAccessibleInBothThemes(page);
        await expectToFit(page, 360, 768, 1280);
      }
      await page.getByRole("button", { name: "Import", exact: true }).click();
      await expect(page.getByText("1 race day imported.")).toBeVisible();

      await importText(`${header}\n${raceDate},${venue},5,14:25,9,,scratched,NHA`);
      await expect(page.getByText("Race 5 off 14:20 → 14:25")).toBeVisible();
      await expect(page.getByText("Race 5 #9 Sea Mist scratched")).toBeVisible();
    });
  });
