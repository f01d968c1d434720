import type { Browser, Page } from "@playwright/test";
import { CREATORS, toDemoEmail } from "#demo/people.ts";
import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { daysFromToday } from "./clock.ts";
import { readLoadedWidth } from "./read-loaded-width.ts";
import { expect, test } from "./test.ts";
import {
  createAnalyst,
  createBuyer,
  createUniqueNumber,
  inAnotherBrowser,
  signIn,
  TEST_PASSWORD,
  waitForEmailLink,
} from "./users.ts";

// Runs in parallel, because this is the longest file and its tests are independent.
test.describe.configure({ mode: "parallel" });

const DASHBOARD = "/tipster-dashboard";
function createApplicant() {
  const uniqueNumber = createUniqueNumber();
  return {
    name: "Lindiwe Sithole",
    displayName: `Rails Runner ${uniqueNumber}`,
    email: `lindiwe.${uniqueNumber}@example.test`,
  };
}

async function logIn(page: Page, email: string, password: string) {
  await page.goto("/tipster-auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(DASHBOARD);
}

/** Creates a tipster: applies, approves the application as an admin and sets a password. */
async function becomeTipster(page: Page, browser: Browser) {
  const applicant = createApplicant();
  await page.goto("/tipster-auth?mode=apply");
  await page.getByLabel("Email").fill(applicant.email);
  await page.getByLabel("Full Name").fill(applicant.name);
  await page.getByLabel("Display Name").fill(applicant.displayName);
  await page.getByLabel("Years of experience").fill("12");
  await page.getByLabel("Bio").fill("Twenty years at the rails.");
  await page.getByRole("button", { name: "Submit Application" }).click();
  await expect(page.getByText("Application Submitted!").first()).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue("");

  await inAnotherBrowser(browser, async (admin) => {
    await signIn(admin, "admin@furlong.test");
    await admin.goto("/admin/tipsters/applications?status=applied");
    await admin.getByRole("link", { name: applicant.displayName }).click();
    await admin.getByRole("button", { name: "Approve" }).click();
    // Matches the exact text, because the page mentions approval earlier.
    await expect(admin.getByText("Approved. We've emailed them the link.").first()).toBeVisible();
  });

  await page.goto(await waitForEmailLink(page, applicant.email, "/reset-password"));
  await page.locator("input[name=password]").fill(TEST_PASSWORD);
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByRole("link", { name: "Log In" })).toBeVisible();
  return applicant;
}

/** Beyond the race days that the demo reports, so that any race number and horse is allowed. */
const UNREPORTED_DAYS_AHEAD = 12;

/** Selects a venue and a day without declared runners. */
async function selectMeeting(page: Page, venue: string) {
  // Waits for the form with its blank race, because the previous page has fields with the same labels.
  await expect(page.getByLabel("Horse number")).toHaveCount(1);
  const date = daysFromToday(UNREPORTED_DAYS_AHEAD);
  const meetingResponse = page.waitForResponse((response) =>
    response.url().includes(`&date=${date}`),
  );
  await page.getByLabel("Venue").selectOption({ label: venue });
  await page.getByLabel("Race date").fill(date);
  await meetingResponse;
  // The venue alone may have laid out the declared races of its next day.
  await expect(page.getByLabel("Horse number")).toHaveCount(1);
}

/** Fills in races by keyboard, starting from the focused field. */
async function typeTips(page: Page, count: number) {
  const { keyboard } = page;
  for (let race = 1; race <= count; race += 1) {
    await keyboard.type(String(race + 2));
    await keyboard.press("Enter");
    await keyboard.type(`Paddock Whisper ${race}`);
    await keyboard.press("Enter");
    // Later races take over the tip type and confidence of the first.
    if (race === 1)
      for (const key of ["ArrowRight", "Enter", "Space", "Enter"]) await keyboard.press(key);
    await keyboard.type("Fresh and well drawn.");
    if (race === count) continue;
    await keyboard.press("Control+Enter");
    await expect(page.getByLabel("Horse name")).toHaveCount(race + 1);
    // The next race starts with its off time, unless that has been reported.
    const offTime = page.getByLabel("Off time").last();
    if (!(await offTime.isEditable())) continue;
    await expect(offTime).toBeFocused();
    await keyboard.type(`14${race + 10}`);
    await keyboard.press("Enter");
    await expect(offTime).toHaveValue(`14:${race + 10}`);
  }
}

test.describe("the first earning", () => {
  test.use({ expectedConsoleErrors: [/status of 409/] });
  test("is shown after an application, a publication and a sale", async ({ page, browser }) => {
    const applicant = await becomeTipster(page, browser);
    await logIn(page, applicant.email, TEST_PASSWORD);
    await expect(page.getByText("Welcome Back!")).toBeVisible();
    await expect(page.getByText("No settled tips yet")).toBeVisible();

    await page.getByRole("link", { name: "Add Daily Racing Tips" }).first().click();
    await expect(page).toHaveURL(`${DASHBOARD}/add`);
    await selectMeeting(page, "Scottsville");
    await page.getByLabel("Horse number").focus();
    await typeTips(page, 8);
    await page.getByRole("button", { name: "Publish 8 races" }).click();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await expect(page).toHaveURL(`${DASHBOARD}/tips`);
    await expect(page.getByText("8 races published")).toBeVisible();
    await expect(page.getByText(/^Paddock Whisper \d$/)).toHaveCount(8);
    const raceCardPath = await page
      .getByRole("link", { name: "View as a punter" })
      .getAttribute("href");

    await inAnotherBrowser(browser, async (punter) => {
      await createBuyer(punter);
      await punter.goto(raceCardPath ?? "");
      expect(await punter.content()).not.toContain("Paddock Whisper");
      await punter.getByRole("button", { name: "Open race card" }).click();
      await expect(punter.getByText("Paddock Whisper 8")).toBeVisible();
    });

    await page.getByRole("link", { name: "Today" }).click();
    await page.getByRole("link", { name: /^Note to buyers of Scottsville/ }).click();
    await page.getByLabel("Note", { exact: true }).fill("The going is heavier than expected.");
    await page.getByRole("button", { name: "Add note" }).click();
    await expect(page.getByText("Note added.")).toBeVisible();
    await expect(page.getByLabel("Note", { exact: true })).toHaveValue("");
    await page.goto(raceCardPath ?? "");
    await expect(page.getByText("The going is heavier than expected.")).toBeVisible();
    await page.goto(DASHBOARD);

    await page.getByRole("link", { name: "Earnings" }).click();
    await expect(
      page.getByRole("row", { name: /^Scottsville, .* 8 races 1 sold .*Pending/i }),
    ).toBeVisible();
    await page.getByRole("button", { name: "Request payout" }).click();
    await expect(page.getByText("You need R100.00 more for a payout")).toBeVisible();
  });
});

test("twelve races are entered by keyboard, survive a reload, and are published once", async ({
  page,
  browser,
}) => {
  const { email } = await createAnalyst(browser);
  await signIn(page, email, TEST_PASSWORD);
  await page.goto(`${DASHBOARD}/add`);
  await selectMeeting(page, "Fairview");
  await page.getByLabel("Horse number").focus();
  await typeTips(page, 12);
  await expect(page.getByRole("button", { name: "Add race" })).toBeDisabled();
  await expect(page.getByText("Draft saved on this device")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Horse name")).toHaveCount(12);
  await expect(page.getByLabel("Horse name").last()).toHaveValue("Paddock Whisper 12");

  // A duplicate race number is reported, and nothing is sent.
  await page.getByLabel("Race", { exact: true }).nth(3).selectOption("2");
  await page.getByRole("button", { name: "Publish 12 races" }).click();
  await expect(
    page.getByText("Race 2 is already selected. Please choose a different race number.").first(),
  ).toBeVisible();
  await page.getByLabel("Race", { exact: true }).nth(3).selectOption("4");
  await page.getByRole("button", { name: "Publish 12 races" }).click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByText("12 races published")).toBeVisible();

  // Published races leave the draft, and their numbers are taken.
  await page.goto(`${DASHBOARD}/add`);
  await expect(page.getByLabel("Horse name")).toHaveValue("");
  await selectMeeting(page, "Fairview");
  await expect(
    page.getByText(/Your race card at Fairview already has races 1, 2, .* and 12/),
  ).toBeVisible();
});

test.describe("form errors are shown", () => {
  test.use({ expectedConsoleErrors: [/status of (401|409|422)/] });

  test("in the tipster and analyst sign-in forms", async ({ page }) => {
    await page.goto("/tipster-auth");
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByText("Email and password are required")).toHaveCount(1);
    await page.getByLabel("Email").fill("applicant@furlong.test");
    await page.getByLabel("Password", { exact: true }).fill("furlong-demo");
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Authentication Failed" })).toHaveCount(
      1,
    );
    await expect(page.getByText("Invalid credentials or account not approved")).toHaveCount(1);

    await page.goto("/analyst");
    await expect(page.getByText("analyst3@furlong.test")).toBeVisible();
    await page.getByLabel("Analyst Email").fill("analyst1@furlong.test");
    await page.getByLabel("Access Code", { exact: true }).fill("not the code");
    await page.getByRole("button", { name: "Access Tip Form" }).click();
    await expect(
      page
        .getByText("Invalid credentials. Access is restricted to verified analysts only.")
        .first(),
    ).toBeVisible();
  });

  test("in the analyst's form until it is complete", async ({ page, browser }) => {
    const { email } = await createAnalyst(browser);
    await page.goto("/analyst");
    await page.getByLabel("Analyst Email").fill(email);
    await page.getByLabel("Access Code", { exact: true }).fill(TEST_PASSWORD);
    await page.getByRole("button", { name: "Access Tip Form" }).click();
    await expect(page).toHaveURL("/admin/add-tip");
    await page.getByRole("button", { name: "Add Racing Tip" }).click();
    await expect(page.getByText("Missing Required Fields")).toBeVisible();
    await expect(page.getByText(/^Please fill in: venue, race number, race time/)).toBeVisible();

    await page.getByLabel("Venue").selectOption({ label: "Greyville" });
    await page.getByLabel("Race date").fill(daysFromToday(60));
    await page.getByRole("button", { name: "Add Racing Tip" }).click();
    await expect(page.getByText(/^Please fill in: race number/)).toBeVisible();
    await page.getByLabel("Race date").fill(daysFromToday(9));
    await page.getByLabel("Race", { exact: true }).selectOption("11");
    await page.getByLabel("Off time").fill("17:20");
    await page.getByLabel("Horse number").fill("3");
    await page.getByLabel("Horse name").fill("Portal Dancer");
    await page.getByText("Each way").click();
    await page.getByText("Low", { exact: true }).click();
    await page.getByLabel("Reasoning").fill("Stays every yard of it.");
    await page.getByRole("button", { name: "Add Racing Tip" }).click();
    const confirmation = page.getByRole("alertdialog");
    await expect(confirmation).toContainText("Publish race 11?");
    await confirmation.getByRole("button", { name: "Publish" }).click();
    await expect(page.getByText("Racing tip added successfully!").first()).toBeVisible();
    await expect(page).toHaveURL("/admin/add-tip");
    await expect(page.getByLabel("Venue")).toHaveValue(/./);
    await expect(page.getByLabel("Race date")).toHaveValue(daysFromToday(9));
    await expect(page.getByLabel("Race", { exact: true })).toHaveValue("12");
    await expect(page.getByLabel("Race", { exact: true })).toBeFocused();
    await expect(page.getByLabel("Horse name")).toHaveValue("");
    await page.getByLabel("Off time").fill("17:55");
    await page.getByLabel("Horse number").fill("4");
    await page.getByLabel("Horse name").fill("Second Race");
    await page.getByText("Win", { exact: true }).click();
    await page.getByText("High", { exact: true }).click();
    await page.getByLabel("Reasoning").fill("Fit and well drawn.");
    await expect(page.getByText("Draft saved on this device")).toBeVisible();
    await page.reload();
    await expect(page.getByLabel("Horse name")).toHaveValue("Second Race");
    await page.getByRole("button", { name: "Add Racing Tip" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
    await expect(page.getByLabel("Horse name")).toHaveValue("");
    await expect(page.getByLabel("Race", { exact: true })).toHaveValue("");
    await page.getByLabel("Race", { exact: true }).selectOption("10");
    await page.getByLabel("Off time").fill("16:45");
    await page.getByLabel("Horse number").fill("5");
    await page.getByLabel("Horse name").fill("Third Race");
    await page.getByText("Win", { exact: true }).click();
    await page.getByText("High", { exact: true }).click();
    await page.getByLabel("Reasoning").fill("Best at the weights.");
    await page.getByRole("button", { name: "Add Racing Tip" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
    await expect(page.getByLabel("Race", { exact: true })).toHaveValue("11");
    await page.goto(`${DASHBOARD}/tips`);
    for (const horse of ["Portal Dancer", "Second Race", "Third Race"])
      await expect(page.getByText(horse).first()).toBeVisible();
  });
});

test("the analyst's form shows the reported off", async ({ page }) => {
  await signIn(page, "analyst3@furlong.test");
  const { raceCards } = await (await page.request.get("/api/race-cards")).json();
  const [{ venue, date }] = raceCards;
  await page.goto("/admin/add-tip");
  await page.getByLabel("Venue").selectOption({ label: venue });
  await page.getByLabel("Race date").fill(date);
  await page.getByLabel("Race", { exact: true }).selectOption({ index: 1 });
  await expect(page.getByText("As reported")).toBeVisible();
  await expect(page.getByLabel("Off time")).toHaveAttribute("readonly");
  await expect(page.getByLabel("Off time")).toHaveValue(/^\d\d:\d\d$/);
});

test("a tipster settles a race and sees the earnings", { tag: "@day" }, async ({ page }) => {
  await signIn(page, "tipster@furlong.test");
  await page.goto(`${DASHBOARD}/tips?result=to-settle`);
  const winButtons = page.getByRole("button", { name: /^W: mark/ });
  const countBefore = await winButtons.count();
  expect(countBefore).toBeGreaterThan(0);
  await winButtons.first().click();
  await page.getByRole("button", { name: "Mark as won" }).click();
  await expect(page.getByText("Marked as won")).toBeVisible();
  await expect(winButtons).toHaveCount(countBefore - 1);
  // The activated button is removed, and focus moves to the next race.
  if (countBefore > 1) await expect(winButtons.first()).toBeFocused();

  await page.getByRole("link", { name: "Earnings" }).click();
  const statement = page.getByRole("table", { name: /^Earnings of .* by race card/ });
  await expect(statement.getByText(/^\d+ sold$/).first()).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Statement (CSV)" }).click();
  expect((await download).suggestedFilename()).toMatch(/^furlong-earnings-\d{4}-\d\d\.csv$/);
  const month = await page.getByRole("heading", { name: /^Earnings of / }).textContent();
  await page.getByRole("navigation", { name: "Months" }).getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: /^Earnings of / })).not.toHaveText(month ?? "");
  await page.goBack();
  await expect(page.getByRole("heading", { name: /^Earnings of / })).toHaveText(month ?? "");
  await page.setViewportSize({ width: 360, height: 640 });
  await expectToFit(page);
});

test("an analyst marks a result from today's page, in one pass", async ({ page }) => {
  await signIn(page, "analyst1@furlong.test");
  await page.goto(DASHBOARD);
  await expect(page.getByText(/^Race \d+ closes at /).first()).toBeVisible();
  await page.getByRole("link", { name: "Mark results" }).click();
  const choices = page.getByRole("group", { name: /^Race \d+, / });
  await expect(choices.first()).toBeVisible();
  const countBefore = await choices.count();
  await choices.first().getByText("Won", { exact: true }).click();
  await page.getByRole("button", { name: "Mark results" }).click();
  await expect(page.getByText("1 result marked").first()).toBeVisible();
  await expect(choices).toHaveCount(countBefore - 1);
});

test.describe("a payout", () => {
  test.use({ expectedConsoleErrors: [/status of 409/] });

  test("is requested by a demo creator who has none in progress", { tag: "@day" }, async ({
    page,
  }) => {
    const confirmation = page.getByRole("alertdialog");
    for (const { accountName } of CREATORS) {
      await signIn(page, toDemoEmail(accountName));
      await page.goto(`${DASHBOARD}/earnings`);
      const button = page.getByRole("button", { name: "Request payout" });
      if (!(await button.isVisible())) continue;
      await button.click();
      const refusal = page.getByText(/^You need R\S+ more for a payout|^We don't have your bank/);
      await expect(confirmation.or(refusal).first()).toBeVisible();
      if (await confirmation.isVisible()) break;
    }
    await confirmation.getByRole("button", { name: "Request payout" }).click();
    await expect(page.getByText(/^R[\d,.\s]+ is in progress$/).first()).toBeVisible();
  });
});

test("a tipster's photo is resized, uploaded and shown", async ({ page, browser }) => {
  const { email } = await createAnalyst(browser);
  await signIn(page, email, TEST_PASSWORD);
  await page.goto(DASHBOARD);
  const photo = await page.screenshot({ type: "png" });
  const uploadRequest = page.waitForRequest((request) =>
    request.url().includes(`${DASHBOARD}/photo`),
  );
  await page
    .getByLabel("Add a photo")
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: photo });
  expect((await uploadRequest).method()).toBe("POST");
  await expect(page.getByText("Profile photo updated successfully!")).toBeVisible();
  const image = page.locator('img[src^="/uploads/"]').first();
  await expect(image).toBeVisible();
  expect(await image.evaluate(readLoadedWidth)).toBe(320);

  await page.getByRole("button", { name: "Remove photo" }).click();
  await expect(page.getByText("Profile photo removed")).toBeVisible();
  await expect(page.getByLabel("Add a photo")).toBeAttached();
  const secondUpload = page.waitForResponse((response) =>
    response.url().includes(`${DASHBOARD}/photo`),
  );
  await page.getByLabel("Add a photo").setInputFiles({
    name: "cut-out.png",
    mimeType: "image/png",
    buffer: Buffer.from(await page.evaluate(createTransparentImage), "base64"),
  });
  await secondUpload;
  await expect(image).toBeVisible();
  // Transparent areas are filled with the background colour, not black.
  expect(await image.evaluate(readCornerBrightness)).toBeGreaterThan(200);
});

test("an applicant on a phone sees the result of the application", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const applicant = createApplicant();
  await page.goto("/tipster-auth?mode=apply");
  await page.getByLabel("Email").fill(applicant.email);
  await page.getByLabel("Full Name").fill(applicant.name);
  await page.getByLabel("Display Name").fill(applicant.displayName);
  await page.getByRole("button", { name: "Submit Application" }).click();
  const resultPanel = page
    .locator("main [tabindex='-1']")
    .filter({ hasText: "Application Submitted!" });
  await expect(resultPanel).toBeFocused();
  await expect(resultPanel).toBeInViewport({ ratio: 1 });
});

/** Creates a large image in the browser, noise on the left and transparent on the right, as base64. */
function createTransparentImage(): string {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 700;
  const context = canvas.getContext("2d");
  if (!context) return "";
  const noise = context.createImageData(350, 700);
  for (let index = 0; index < noise.data.length; index += 1)
    noise.data[index] = index % 4 === 3 ? 255 : (index * 7919) % 251;
  context.putImageData(noise, 0, 0);
  return canvas.toDataURL("image/png").split(",")[1] ?? "";
}

/** Returns the brightness of an image's upper right corner. */
async function readCornerBrightness(element: Element): Promise<number> {
  const image = element as HTMLImageElement;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 320;
  const context = canvas.getContext("2d");
  context?.drawImage(image, 0, 0, 320, 320);
  return context?.getImageData(310, 10, 1, 1).data[0] ?? 0;
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, expectedConsoleErrors: [/status of (409|422)/] });

  test("a tip is published and a payout requested", async ({ page, browser }) => {
    const { email } = await createAnalyst(browser);
    await page.goto("/tipster-auth");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(TEST_PASSWORD);
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByRole("link", { name: "Add Daily Racing Tips" }).first().click();
    await expect(page).toHaveURL(`${DASHBOARD}/add`);
    await page.getByLabel("Venue").selectOption({ label: "Vaal" });
    await page.getByLabel("Race date").fill(daysFromToday(2));
    await page.getByLabel("Horse number").fill("4");
    await page.getByRole("button", { name: "Publish tip" }).click();
    await expect(page.getByText("Please fill in all fields for each race.")).toBeVisible();
    await expect(page.getByLabel("Horse number")).toHaveValue("4");
    await page.getByLabel("Horse name").fill("Plain Paper");
    await page.getByText("Place", { exact: true }).click();
    await page.getByText("Medium", { exact: true }).click();
    await page.getByLabel("Analysis").fill("Needs no scripts.");
    await page.getByRole("button", { name: "Publish tip" }).click();
    await expect(page.getByText("Tips published")).toBeVisible();
    await page.getByRole("link", { name: "Earnings" }).click();
    await page.getByRole("button", { name: "Request payout" }).click();
    await expect(page.getByText("You need R100.00 more for a payout")).toBeVisible();
  });
});

async function expectAccessibleOnPhone(page: Page, path: string) {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(path);
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 320, 768);
}

for (const path of ["/tipster-auth", "/tipster-auth?mode=apply", "/analyst"])
  test(`${path} is accessible in both themes and fits a phone`, async ({ page }) => {
    await expectAccessibleOnPhone(page, path);
  });

for (const subpath of [
  "",
  "/tips",
  "/results",
  "/add",
  "/earnings",
  "/bank-details",
  "/profile",
  "/password",
])
  test(`${DASHBOARD}${subpath} is accessible in both themes and fits a phone`, async ({ page }) => {
    await signIn(page, "analyst3@furlong.test");
    await expectAccessibleOnPhone(page, `${DASHBOARD}${subpath}`);
    await expect(page).toHaveURL(`${DASHBOARD}${subpath}`);
  });

test("/admin/add-tip is accessible in both themes and fits a phone", async ({ page }) => {
  await signIn(page, "analyst3@furlong.test");
  await expectAccessibleOnPhone(page, "/admin/add-tip");
  await expect(page).toHaveURL("/admin/add-tip");
});

test("eight declared races are tipped on a phone with few taps, and by pasting", async ({
  page,
  browser,
}) => {
  const { email } = await createAnalyst(browser);
  await signIn(page, email, TEST_PASSWORD);
  const meeting = await findDeclaredMeeting(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${DASHBOARD}/add`);
  await page.getByLabel("Race date").fill(meeting.raceDate);
  await page.getByLabel("Venue").selectOption({ label: meeting.venue });
  const races = page.getByRole("navigation", { name: "Races" }).getByRole("button");
  await expect(races).toHaveCount(meeting.raceCount);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeLessThanOrEqual(2_500);

  const { keyboard } = page;
  const horse = page.getByLabel("Horse", { exact: true }).filter({ visible: true });
  await horse.click();
  for (const [race, number] of meeting.numbers.entries()) {
    await expect(horse).toBeFocused();
    await keyboard.type(String(number));
    await keyboard.press("Enter");
    if (race === 0) {
      await page.getByText("Place", { exact: true }).filter({ visible: true }).click();
      await page.getByText("Low", { exact: true }).filter({ visible: true }).click();
      await keyboard.press("Enter");
    }
    await keyboard.type("Stays the trip.");
    await keyboard.press("Enter");
  }
  await expectToFit(page, 320, 360);
  const publish = page.getByRole("button", { name: `Publish ${meeting.raceCount} races` });
  await expect(publish).toBeFocused();

  // Pasted lines fill in the races from the field on.
  await races.first().click();
  await expect(horse).toBeFocused();
  const [first, second] = meeting.numbers;
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, `${first} W H Drawn well.\n${second} E M Fit.`);
  await expect(page.getByLabel("Analysis").first()).toHaveValue("Drawn well.");
  await publish.click();
  const confirmation = page.getByRole("alertdialog");
  await expect(confirmation.getByRole("listitem")).toHaveCount(meeting.raceCount);
  await expect(confirmation.getByRole("listitem").nth(1)).toHaveText(/Each way.*MEDIUM.*Fit\./);
  await expectAccessibleInBothThemes(page);
  await confirmation.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText(`${meeting.raceCount} races published`)).toBeVisible();
});

/** Returns a meeting of tomorrow whose runners are declared. */
async function findDeclaredMeeting(page: Page) {
  const raceDate = daysFromToday(1);
  await page.goto(`${DASHBOARD}/add`);
  type Runner = { raceNumber: number; number: number; isScratched: boolean };
  for (const option of await page.getByLabel("Venue").getByRole("option").all()) {
    const id = await option.getAttribute("value");
    const url = `${DASHBOARD}/batch-day?venue=${id}&date=${raceDate}`;
    const { runners }: { runners?: Runner[] } = await (await page.request.get(url)).json();
    const running = new Map(
      runners?.flatMap(({ raceNumber, number, isScratched }) =>
        isScratched ? [] : [[raceNumber, number]],
      ),
    );
    const numbers = [...running.values()];
    if (numbers.length > 0)
      return {
        raceDate,
        venue: (await option.textContent()) ?? "",
        numbers,
        raceCount: numbers.length,
      };
  }
  throw new Error("no meeting with declared runners");
}
