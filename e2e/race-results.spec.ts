import type { Page } from "@playwright/test";
import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { daysFromToday } from "./clock.ts";
import { expect, test } from "./test.ts";
import { asSecondAdmin, createVenue, signIn } from "./users.ts";

// Tests how two admins import the races of a day, enter their results and confirm them, and counts their input.

test.use({ expectedConsoleErrors: [/status of (409|422)/] });

const RACES = 8;
const RUNNERS = 10;
const LINK = "https://nha.example/results";

const raceDate = daysFromToday(-1);
const raceNumbers = Array.from({ length: RACES }, (_, index) => index + 1);

/** Returns a file with the races and runners of meetings yesterday. */
function createCardFile(venues: readonly string[]): string {
  const lines = venues.flatMap((venue) =>
    raceNumbers.flatMap((race) =>
      Array.from({ length: RUNNERS }, (_, index) =>
        [
          raceDate,
          venue,
          race,
          `${11 + race}:30`,
          index + 1,
          `Horse ${race} ${index + 1}`,
          "Track office",
        ].join(","),
      ),
    ),
  );
  return ["date,venue,race,off,number,horse,source", ...lines].join("\n");
}

/** Returns a file with the results of meetings: 4 1 7 2 in each race. */
function createResultFile(venues: readonly string[]): string {
  const lines = venues.flatMap((venue) =>
    raceNumbers.flatMap((race) =>
      [4, 1, 7, 2].map((number, index) =>
        [
          raceDate,
          venue,
          race,
          number,
          index + 1,
          index === 0 ? "5/1" : "",
          index === 0 ? "6.40" : "",
          ["1.90", "1.40", "2.20"][index] ?? "",
          "official",
          "NHA",
          LINK,
        ].join(","),
      ),
    ),
  );
  const header = "date,venue,race,number,position,sp,win,place,result_status,source,source_url";
  return [header, ...lines].join("\n");
}

type Input = ReturnType<typeof countInput>;

/** Imports a file and checks a line of its preview and the message at the end. */
async function importFile(
  page: Page,
  input: Input,
  { text, change, message }: { text: string; change: string; message: string },
): Promise<void> {
  await page.goto("/admin/race-days/import");
  await input.paste("Or paste its contents", text);
  await input.click("Preview", "button");
  await expect(page.getByText(change).first()).toBeVisible();
  await input.click("Import", "button");
  await expect(page.getByText(message)).toBeVisible();
}

/** Types and clicks as a person does, and counts it. */
function countInput(page: Page) {
  const count = { clicks: 0, keystrokes: 0 };
  return {
    count,
    async click(name: string, role: "button" | "link" = "link") {
      count.clicks += 1;
      await page.getByRole(role, { name, exact: role === "button" }).click();
    },
    /** Clicks into a field and pastes a text with one keystroke. */
    async paste(label: string, text: string) {
      count.clicks += 1;
      count.keystrokes += 1;
      await page.getByLabel(label).fill(text);
    },
    async press(key: string, times = 1) {
      count.keystrokes += times;
      for (let pressed = 0; pressed < times; pressed += 1) await page.keyboard.press(key);
    },
    async type(text: string) {
      count.keystrokes += text.length;
      await page.keyboard.type(text);
    },
  };
}

/** Types what the confirming admin enters after the placed horses: non-runners, off and starters. */
async function typeRest(input: Input, race: number, { nonRunners = 0 } = {}): Promise<void> {
  await input.press("Tab");
  if (nonRunners > 0) await input.type("9");
  await input.press("Tab");
  await input.type(`${11 + race}30`);
  await input.press("Tab");
  await input.type(`${RUNNERS - nonRunners}`);
}

/** Delays the next data that a page loads by two seconds. */
async function delayNextLoad(page: Page): Promise<void> {
  let isDelayed = false;
  await page.route(/\.data/, async (route) => {
    if (!isDelayed && route.request().method() === "GET") {
      isDelayed = true;
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    }
    await route.continue();
  });
}

test("an admin imports three meetings, scratches a horse, and enters 24 results that another admin confirms", async ({
  page,
  browser,
}) => {
  await signIn(page, "admin@furlong.test");
  const venue = await createVenue(page, "A");
  const otherVenues = [await createVenue(page, "B"), await createVenue(page, "C")];
  const card = countInput(page);
  await importFile(page, card, {
    text: createCardFile([venue, ...otherVenues]),
    change: `Race ${RACES} new, off 19:30, ${RUNNERS} runners`,
    message: "3 race days imported.",
  });
  const scratching = countInput(page);
  await importFile(page, scratching, {
    text: `date,venue,race,number,status,source\n${raceDate},${venue},3,9,scratched,Track office`,
    change: "Race 3 #9 Horse 3 9 scratched",
    message: "1 race day imported.",
  });

  const first = countInput(page);
  await page.goto("/admin/results");
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 360, 768, 1280);
  await first.click(`Enter race 1, ${venue}`);
  for (let race = 1; race <= RACES; race += 1) {
    await expect(page.getByRole("heading", { name: `Race ${race}, ${venue}` })).toBeVisible();
    // Nothing is preselected; the first letter selects Official.
    await expect(page.getByLabel("Status")).toBeFocused();
    await first.type("o");
    await first.press("Tab");
    await expect(page.getByLabel("Finishing order")).toBeFocused();
    // The first three, and a fourth; in race 2 a dead heat for second.
    await first.type(race === 2 ? "4 1=7 2" : "4 1 7 2");
    await expect(page.getByText(`4 Horse ${race} 4`).first()).toBeVisible();
    // Enter does not save before the dividends are entered.
    await first.press(race === 1 ? "Enter" : "Tab");
    await expect(page.getByLabel("Starting price 1")).toBeFocused();
    await first.type("5/1");
    await first.press("Tab");
    await first.type("6.40");
    await first.press("Tab");
    await first.type("1.90");
    await first.press("Tab", 3);
    await first.type("1.40");
    await first.press("Tab", 3);
    await first.type("2.20");
    if (race === 1) {
      await expectAccessibleInBothThemes(page);
      await expectToFit(page, 360, 768, 1280);
      const source = page.getByLabel("Source", { exact: true });
      first.count.clicks += 1;
      await source.click();
      await first.type("NHA");
      await first.press("Tab");
      await first.type(LINK);
    }
    await first.press("Enter");
  }
  await expect(page.getByText(`Result of race ${RACES} saved.`)).toBeVisible();
  await expect(page.getByText("You entered it").first()).toBeVisible();

  const resultFile = countInput(page);
  await importFile(page, resultFile, {
    text: createResultFile(otherVenues),
    change: `Race ${RACES} result new, official, 4 1 7 2`,
    message: `${2 * RACES} results imported. Another admin must confirm them.`,
  });

  await asSecondAdmin(page, browser, async (secondPage) => {
    const second = countInput(secondPage);
    await secondPage.goto("/admin");
    await expect(
      secondPage
        .getByRole("table", { name: "Do now" })
        .getByRole("rowheader", { name: /^Results to confirm/ })
        .first(),
    ).toBeVisible();
    await secondPage.goto("/admin/results");
    await second.click(`Confirm race 1, ${venue}`);
    for (let race = 1; race <= RACES; race += 1) {
      await expect(
        secondPage.getByRole("heading", { name: `Confirm race ${race}, ${venue}` }),
      ).toBeVisible();
      const order = secondPage.getByLabel("Placed horses");
      const status = secondPage.getByLabel("Status");
      await expect(status).toBeFocused();
      if (race === 1) {
        await order.fill("4 7 1");
        await secondPage.getByLabel("Off").fill("12:30");
        await secondPage.getByLabel("Starters").fill(`${RUNNERS}`);
        await secondPage.keyboard.press("Enter");
        await expect(secondPage.getByText("Select the status of the result")).toBeVisible();
        await status.selectOption("official");
        await order.focus();
        await secondPage.keyboard.press("Enter");
        await expect(secondPage.getByText("Position 2: first entry 1, your entry 7")).toBeVisible();
        await expectAccessibleInBothThemes(secondPage);
        await expectToFit(secondPage, 360, 768, 1280);
        await order.fill("");
        await status.focus();
      }
      await second.type("o");
      await second.press("Tab");
      await second.type(race === 2 ? "4 1=7" : "4 1 7");
      await typeRest(second, race, { nonRunners: race === 3 ? 1 : 0 });
      // Enter confirms even while the page is still revalidated after the comparison.
      if (race === 2) await delayNextLoad(secondPage);
      await second.press("Enter");
      await expect(secondPage.getByRole("button", { name: "Confirm result" })).toBeFocused();
      await expect(secondPage.getByRole("rowheader", { name: `4 Horse ${race} 4` })).toBeVisible();
      await expect(
        secondPage.getByRole("list", { name: "Placed horses" }).getByRole("listitem").first(),
      ).toBeInViewport();
      if (race === 1) {
        await expectAccessibleInBothThemes(secondPage);
        await expectToFit(secondPage, 360, 768, 1280);
      }
      await second.press("Enter");
    }
    await expect(secondPage.getByText(`Result of race ${RACES} confirmed.`)).toBeVisible();
    for (const otherVenue of otherVenues) {
      await second.click(`Confirm race 1, ${otherVenue}`);
      for (const race of raceNumbers) {
        await expect(
          secondPage.getByRole("heading", { name: `Confirm race ${race}, ${otherVenue}` }),
        ).toBeVisible();
        await expect(secondPage.getByLabel("Status")).toBeFocused();
        await second.type("o");
        await second.press("Tab");
        await second.type("4 1 7");
        await typeRest(second, race);
        await second.press("Enter");
        await expect(secondPage.getByRole("button", { name: "Confirm result" })).toBeFocused();
        await second.press("Enter");
      }
      await expect(secondPage.getByText(`Result of race ${RACES} confirmed.`)).toBeVisible();
    }
    // A race needs one key for each character, Tab and Enter, and nothing else. It is confirmed with 18 keys. docs/support.md has the totals.
    const counts = [card, scratching, first, resultFile, second].map(({ count }) => count);
    expect(counts).toEqual([
      { clicks: 3, keystrokes: 1 },
      { clicks: 3, keystrokes: 1 },
      { clicks: 2, keystrokes: 335 },
      { clicks: 3, keystrokes: 1 },
      { clicks: 3, keystrokes: 3 * 18 * RACES },
    ]);
  });

  await page.goto("/admin/results");
  for (const name of [venue, ...otherVenues]) await expect(page.getByText(name)).toHaveCount(0);
});

/** Types the results of all races into the page of their meeting. */
async function typeMeeting(page: Page, input: Input): Promise<void> {
  await expect(page.getByLabel("Source", { exact: true })).toBeFocused();
  await input.type("NHA");
  await input.press("Enter");
  await input.type(LINK);
  await input.press("Enter");
  for (const race of raceNumbers) {
    const fields = page.getByRole("group", { name: `Race ${race},` });
    await expect(fields.getByLabel("Status")).toBeFocused();
    await input.type("o");
    await input.press("Enter");
    await input.type(race === 2 ? "4 1=7 2" : "4 1 7 2");
    await expect(fields.getByText(`4 Horse ${race} 4`)).toBeVisible();
    await input.press("Enter");
    for (const text of ["5/1", "6.40", "1.90"]) {
      await input.type(text);
      await input.press("Enter");
    }
    // The others have no win dividend, so Enter passes its field.
    for (const dividend of ["1.40", "2.20"]) {
      await input.press("Enter");
      await input.type(dividend);
      await input.press("Enter");
    }
    await input.press("Enter", 2);
  }
}

test("an admin enters a meeting on one page with keys alone, and another admin confirms it there", async ({
  page,
  browser,
}) => {
  await signIn(page, "admin@furlong.test");
  const venue = await createVenue(page, "M");
  await importFile(page, countInput(page), {
    text: createCardFile([venue]),
    change: `Race ${RACES} new, off 19:30, ${RUNNERS} runners`,
    message: "1 race day imported.",
  });

  await page.goto("/admin/results");
  const first = countInput(page);
  await first.click(`Whole meeting at ${venue}`);
  await typeMeeting(page, first);
  // Enter after the last field does not save either.
  await page.keyboard.press("Enter");
  await expect(page.getByText(`0 of ${RACES} official`)).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 360, 768, 1280);
  await first.press("Tab");
  await expect(page.getByRole("button", { name: `Save ${RACES} races` })).toBeFocused();
  await first.press("Enter");
  await expect(page.getByText("Results of races 1, 2, 3, 4, 5, 6, 7 and 8 saved.")).toBeVisible();
  await expect(page.getByText("You entered it")).toHaveCount(RACES);
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 360, 768, 1280);
  expect(first.count).toEqual({ clicks: 1, keystrokes: 338 });

  await asSecondAdmin(page, browser, async (secondPage) => {
    await secondPage.goto("/admin/results");
    const second = countInput(secondPage);
    await second.click(`Whole meeting of race 1, ${venue}`);
    for (const race of raceNumbers) {
      const fields = secondPage.getByRole("group", { name: `Race ${race},` });
      await expect(fields.getByLabel("Status")).toBeFocused();
      await second.type("o");
      await second.press("Enter");
      await second.type(race === 1 ? "4 7 1" : race === 2 ? "4 1=7" : "4 1 7");
      await second.press("Enter", 2);
      await second.type(`${11 + race}30`);
      await second.press("Enter");
      await second.type(`${RUNNERS}`);
      await second.press("Enter");
    }
    await second.press("Tab");
    await expect(secondPage.getByRole("button", { name: `Compare ${RACES} races` })).toBeFocused();
    await second.press("Enter");
    await expect(secondPage.getByText("Position 2: first entry 1, your entry 7")).toBeVisible();
    await expect(secondPage.getByText("When you confirm it")).toHaveCount(RACES - 1);
    await expectAccessibleInBothThemes(secondPage);
    await expectToFit(secondPage, 360, 768, 1280);
    // Race 1 differs, and the others are confirmed without it.
    await second.press("Tab");
    await expect(
      secondPage.getByRole("button", { name: `Confirm ${RACES - 1} races` }),
    ).toBeFocused();
    await second.press("Enter");
    await expect(
      secondPage.getByText("Results of races 2, 3, 4, 5, 6, 7 and 8 confirmed."),
    ).toBeVisible();
    expect(second.count).toEqual({ clicks: 1, keystrokes: 17 * RACES + 4 });
    await expect(secondPage.getByText(`${RACES - 1} of ${RACES} official`)).toBeVisible();
    const order = secondPage.getByRole("textbox", { name: "Placed horses" });
    await expect(order).toHaveValue("4 7 1");
    await order.fill("4 1 7");
    // Confirms as soon as the answer is there, while the page is read again.
    const { promise: confirming, resolve: read } = Promise.withResolvers<unknown>();
    await secondPage.route(/\.data/, async (route) => {
      if (route.request().method() === "GET") await confirming;
      await route.fallback();
    });
    await secondPage.getByRole("button", { name: "Compare 1 race", exact: true }).click();
    const confirm = secondPage.getByRole("button", { name: "Confirm 1 race", exact: true });
    await expect(confirm).toBeVisible();
    const sent = secondPage.waitForRequest((request) => request.method() === "POST");
    await confirm.click();
    read(await sent);
    await expect(secondPage.getByText("Result of race 1 confirmed.")).toBeVisible();
    await expect(secondPage.getByText(`${RACES} of ${RACES} official`)).toBeVisible();
  });
});
