import type { Browser, Page } from "@playwright/test";
import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { expect, test } from "./test.ts";
import { elsewhere, linkFor, newReader, OWN_PASSWORD, signIn } from "./users.ts";

// Runs in parallel, because this is the longest file and its tests are independent.
test.describe.configure({ mode: "parallel" });

const DASHBOARD = "/tipster-dashboard";
let applicants = 0;

function someone() {
  applicants += 1;
  const mark = `${Date.now()}${test.info().parallelIndex}${applicants}`;
  return {
    name: "Lindiwe Sithole",
    displayName: `Rails Runner ${mark}`,
    email: `lindiwe.${mark}@example.test`,
  };
}

async function logIn(page: Page, email: string, password: string) {
  await page.goto("/tipster-auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(DASHBOARD);
}

/** Applies as a tipster, is approved and sets a password. */
async function becomeTipster(page: Page, browser: Browser) {
  const person = someone();
  await page.goto("/tipster-auth?mode=apply");
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Full Name").fill(person.name);
  await page.getByLabel("Display Name").fill(person.displayName);
  await page.getByLabel("Years of experience").fill("12");
  await page.getByLabel("Bio").fill("Twenty years at the rails.");
  await page.getByRole("button", { name: "Submit Application" }).click();
  await expect(page.getByText("Application Submitted!").first()).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue("");

  await elsewhere(browser, async (admin) => {
    await signIn(admin, "admin@furlong.test");
    await admin.goto("/admin/tipsters/applications?status=applied");
    await admin.getByRole("link", { name: person.displayName }).click();
    await admin.getByRole("button", { name: "Approve" }).click();
    // The exact text: the page mentions approval before it is done.
    await expect(admin.getByText("Approved. We've emailed them the link.").first()).toBeVisible();
  });

  await page.goto(await linkFor(page, person.email, "/reset-password"));
  await page.locator("input[name=password]").fill(OWN_PASSWORD);
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByRole("link", { name: "Log In" })).toBeVisible();
  return person;
}

/** Selects a venue and tomorrow, so that no race has started. */
async function chooseDay(page: Page, venue: string, days = 1) {
  // The list of tips, the previous page, has a venue and a date field as well.
  await expect(page.getByLabel("Horse number").first()).toBeVisible();
  const date = daysFromNow(days);
  const known = page.waitForResponse((answer) => answer.url().includes(`&date=${date}`));
  await page.getByLabel("Venue").selectOption({ label: venue });
  await page.getByLabel("Race date").fill(date);
  await known;
}

function daysFromNow(days: number): string {
  const instant = Date.now() + days * 24 * 60 * 60 * 1000;
  return new Date(instant).toLocaleDateString("sv-SE", { timeZone: "Africa/Johannesburg" });
}

/** Fills in races by keyboard, starting from the focused field. */
async function typeRaces(page: Page, count: number) {
  const { keyboard } = page;
  for (let race = 1; race <= count; race += 1) {
    await keyboard.type(String(race + 2));
    await keyboard.press("Enter");
    await keyboard.type(`Paddock Whisper ${race}`);
    await keyboard.press("Enter");
    await keyboard.press(race % 2 ? "Space" : "ArrowRight");
    await keyboard.press("Enter");
    await keyboard.press("Space");
    await keyboard.press("Enter");
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

test.describe("with a 409 response", () => {
  test.use({ expectedComplaints: [/status of 409/] });
  test("a tipster goes from the application to the first earning", async ({ page, browser }) => {
    test.setTimeout(180_000);
    const person = await becomeTipster(page, browser);
    await logIn(page, person.email, OWN_PASSWORD);
    await expect(page.getByText("Welcome Back!")).toBeVisible();
    await expect(page.getByText("No settled tips yet")).toBeVisible();

    await page.getByRole("link", { name: "Add Daily Racing Tips" }).first().click();
    await expect(page).toHaveURL(`${DASHBOARD}/add`);
    await chooseDay(page, "Scottsville");
    await page.getByLabel("Horse number").focus();
    await typeRaces(page, 8);
    await page.getByRole("button", { name: "Publish 8 races" }).click();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await expect(page).toHaveURL(DASHBOARD);
    await expect(page.getByText("8 races published")).toBeVisible();
    await expect(page.getByText(/^Paddock Whisper \d$/)).toHaveCount(8);
    const card = await page.getByRole("link", { name: "View as a punter" }).getAttribute("href");

    await elsewhere(browser, async (punter) => {
      await newReader(punter);
      await punter.goto(card ?? "");
      expect(await punter.content()).not.toContain("Paddock Whisper");
      await punter.getByRole("button", { name: "Open race card" }).click();
      await expect(punter.getByText("Paddock Whisper 8")).toBeVisible();
    });

    await page.getByRole("link", { name: "Earnings" }).click();
    await expect(page.getByRole("table", { name: "Earnings, newest first" })).toContainText(
      "Scottsville",
    );
    await expect(page.getByText("8 races, 1 to 8").first()).toBeVisible();
    await page.getByRole("button", { name: "Request payout" }).click();
    await expect(page.getByText("You need R100.00 more for a payout")).toBeVisible();
  });
});

/** Far enough ahead that the demo reports no race day, so that any race number is allowed. */
const NOT_REPORTED_DAYS = 12;

test("twelve races are entered by keyboard, survive a reload, and are published once", async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const person = await becomeTipster(page, browser);
  await logIn(page, person.email, OWN_PASSWORD);
  await page.goto(`${DASHBOARD}/add`);
  await chooseDay(page, "Fairview", NOT_REPORTED_DAYS);
  await page.getByLabel("Horse number").focus();
  await typeRaces(page, 12);
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
  await chooseDay(page, "Fairview", NOT_REPORTED_DAYS);
  await expect(
    page.getByText(/Your race card at Fairview already has races 1, 2, .* and 12/),
  ).toBeVisible();
});

test.describe("errors are shown", () => {
  test.use({ expectedComplaints: [/status of (401|409|422)/] });

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

  test("in the analyst's form until it is complete", async ({ page }) => {
    await page.goto("/analyst");
    await page.getByLabel("Analyst Email").fill("analyst2@furlong.test");
    await page.getByLabel("Access Code", { exact: true }).fill("furlong-demo");
    await page.getByRole("button", { name: "Access Tip Form" }).click();
    await expect(page).toHaveURL("/admin/add-tip");
    await page.getByRole("button", { name: "Add Racing Tip" }).click();
    await expect(page.getByText("Missing Required Fields")).toBeVisible();
    await expect(page.getByText(/^Please fill in: venue, race number, race time/)).toBeVisible();

    await page.getByLabel("Venue").selectOption({ label: "Greyville" });
    await page.getByLabel("Race date").fill(daysFromNow(60));
    await page.getByRole("button", { name: "Add Racing Tip" }).click();
    await expect(page.getByText(/^Please fill in: race number/)).toBeVisible();
    await page.getByLabel("Race date").fill(daysFromNow(9));
    await page.getByLabel("Race", { exact: true }).selectOption("11");
    await page.getByLabel("Off time").fill("17:20");
    await page.getByLabel("Horse number").fill("3");
    await page.getByLabel("Horse name").fill("Portal Dancer");
    await page.getByText("Each way").click();
    await page.getByText("Low", { exact: true }).click();
    await page.getByLabel("Reasoning").fill("Stays every yard of it.");
    await expect(page.getByText("Draft saved on this device")).toBeVisible();
    await page.reload();
    await expect(page.getByLabel("Horse name")).toHaveValue("Portal Dancer");
    await page.getByRole("button", { name: "Add Racing Tip" }).click();
    const question = page.getByRole("alertdialog");
    await expect(question).toContainText("Publish race 11?");
    await question.getByRole("button", { name: "Publish" }).click();
    await expect(page.getByText("Racing tip added successfully!").first()).toBeVisible();
    await expect(page).toHaveURL("/");
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

test("a tipster settles a race, sees the earnings and requests a payout", async ({ page }) => {
  await signIn(page, "tipster@furlong.test");
  await page.goto(`${DASHBOARD}?result=to-settle`);
  const open = page.getByRole("button", { name: /^W: mark/ });
  const before = await open.count();
  expect(before).toBeGreaterThan(0);
  await open.first().click();
  await page.getByRole("button", { name: "Mark as won" }).click();
  await expect(page.getByText("Marked as won")).toBeVisible();
  await expect(open).toHaveCount(before - 1);
  // The pressed control is gone: focus moves to the next race.
  if (before > 1) await expect(open.first()).toBeFocused();

  await page.getByRole("link", { name: "Earnings" }).click();
  await expect(page.getByRole("heading", { name: "Recent Sales" })).toBeVisible();
  await expect(page.getByText(/more sales/)).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Statement (CSV)" }).click();
  expect((await download).suggestedFilename()).toMatch(/^furlong-earnings-.*\.csv$/);
  await page.getByRole("button", { name: "Request payout" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Request payout" }).click();
  await expect(page.getByText(/^R[\d,.\s]+ is in progress$/).first()).toBeVisible();
});

test("a tipster's photo is resized, uploaded and shown", async ({ page, browser }) => {
  test.setTimeout(180_000);
  const person = await becomeTipster(page, browser);
  await logIn(page, person.email, OWN_PASSWORD);
  const photo = await page.screenshot({ type: "png" });
  const sent = page.waitForRequest((request) => request.url().includes(`${DASHBOARD}/photo`));
  await page
    .getByLabel("Add a photo")
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: photo });
  expect((await sent).method()).toBe("POST");
  await expect(page.getByText("Profile photo updated successfully!")).toBeVisible();
  const shown = page.locator('img[src^="/uploads/"]').first();
  await expect(shown).toBeVisible();
  expect(await shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(320);

  await page.getByRole("button", { name: "Remove photo" }).click();
  await expect(page.getByText("Profile photo removed")).toBeVisible();
  await expect(page.getByLabel("Add a photo")).toBeAttached();
  const again = page.waitForResponse((answer) => answer.url().includes(`${DASHBOARD}/photo`));
  await page.getByLabel("Add a photo").setInputFiles({
    name: "cut-out.png",
    mimeType: "image/png",
    buffer: Buffer.from(await page.evaluate(cutOut), "base64"),
  });
  await again;
  await expect(shown).toBeVisible();
  // Transparent areas are filled with the background colour, not black.
  expect(await shown.evaluate(cornerOf)).toBeGreaterThan(200);
});

test("an applicant on a phone sees the result of the application", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const person = someone();
  await page.goto("/tipster-auth?mode=apply");
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Full Name").fill(person.name);
  await page.getByLabel("Display Name").fill(person.displayName);
  await page.getByRole("button", { name: "Submit Application" }).click();
  const said = page.locator("main [tabindex='-1']").filter({ hasText: "Application Submitted!" });
  await expect(said).toBeFocused();
  await expect(said).toBeInViewport({ ratio: 1 });
});

/** Creates a large image in the browser, noise on the left and transparent on the right, as base64. */
function cutOut(): string {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 700;
  const brush = canvas.getContext("2d");
  if (!brush) return "";
  const noise = brush.createImageData(350, 700);
  for (let at = 0; at < noise.data.length; at += 1)
    noise.data[at] = at % 4 === 3 ? 255 : (at * 7919) % 251;
  brush.putImageData(noise, 0, 0);
  return canvas.toDataURL("image/png").split(",")[1] ?? "";
}

/** Returns the brightness of an image's upper right corner. */
function cornerOf(image: Element): number {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 320;
  const brush = canvas.getContext("2d");
  brush?.drawImage(image as HTMLImageElement, 0, 0, 320, 320);
  return brush?.getImageData(310, 10, 1, 1).data[0] ?? 0;
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false, expectedComplaints: [/status of (409|422)/] });

  test("a tip is published and a payout requested", async ({ page, browser }) => {
    test.setTimeout(180_000);
    const person = await becomeTipster(page, browser);
    await page.goto("/tipster-auth");
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(OWN_PASSWORD);
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByRole("link", { name: "Add Daily Racing Tips" }).first().click();
    await expect(page).toHaveURL(`${DASHBOARD}/add`);
    await page.getByLabel("Venue").selectOption({ label: "Vaal" });
    await page.getByLabel("Race date").fill(daysFromNow(2));
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

async function expectOpenToEverybody(page: Page, path: string) {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(path);
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 320, 768);
}

for (const path of ["/tipster-auth", "/tipster-auth?mode=apply", "/analyst"])
  test(`${path} is accessible in both themes and fits a phone`, async ({ page }) => {
    await expectOpenToEverybody(page, path);
  });

for (const part of ["", "/add", "/earnings", "/bank-details", "/profile", "/password"])
  test(`${DASHBOARD}${part} is accessible in both themes and fits a phone`, async ({ page }) => {
    await signIn(page, "analyst3@furlong.test");
    await expectOpenToEverybody(page, `${DASHBOARD}${part}`);
    await expect(page).toHaveURL(`${DASHBOARD}${part}`);
  });

test("/admin/add-tip is accessible in both themes and fits a phone", async ({ page }) => {
  await signIn(page, "analyst3@furlong.test");
  await expectOpenToEverybody(page, "/admin/add-tip");
  await expect(page).toHaveURL("/admin/add-tip");
});
