import { parse } from "csv-parse/sync";
import { formatDate } from "#domain/calendar.ts";
import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { daysFromToday } from "./clock.ts";
import { expect, test } from "./test.ts";

// Tests that the information pages fit every screen and are accessible. `src/site/information-pages.test.ts` tests
// their content and links.

for (const path of [
  "/contact",
  "/help",
  "/how-it-works",
  "/rules",
  "/proof",
  "/records",
  "/racing-tracks",
  "/tracks/kenilworth",
  "/top-analysts",
  "/leaderboard",
  "/results",
  "/search?q=the",
  "/search?q=nothing+of+this+name",
  "/terms-of-service",
  "/terms",
  "/privacy",
  "/cookies",
  "/responsible-gambling",
  "/disclaimer",
])
  test(`${path} is accessible in both themes and fits a narrow phone`, async ({ page }) => {
    await page.goto(path);
    await expectAccessibleInBothThemes(page);
    await expectToFit(page, 320);
  });

test("the leaderboard and past tips have rows of two lines on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/leaderboard");
  const rows = page
    .getByRole("table")
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader") });
  // Other tests add tipsters, and results entered by one person, which take a line more, to the same page.
  const heights = await rows.evaluateAll((elements) =>
    elements.map((row) => ({
      height: row.getBoundingClientRect().height,
      isMarked: row.textContent.includes("entered by one person"),
    })),
  );
  expect(heights.length).toBeGreaterThanOrEqual(14);
  for (const { height, isMarked } of heights)
    expect(height).toBeLessThanOrEqual(isMarked ? 114 : 93);
  await page.goto("/tracks/kenilworth");
  const tips = page.getByRole("table", { name: "Past tips at Kenilworth" }).getByRole("row");
  const tipHeights = await tips.evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().height),
  );
  // The middle one: a long name or a contradicted result takes another line.
  expect(tipHeights.sort((a, b) => a - b)[tipHeights.length >> 1]).toBeLessThanOrEqual(80);
});

test("the footer is a few lines on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/login");
  const footer = page.getByRole("contentinfo");
  expect((await footer.boundingBox())?.height).toBeLessThanOrEqual(240);
  for (const link of await footer.getByRole("link").all())
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24);
});

test("a list of several tracks says track and off in full", async ({ page }) => {
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/?sort=record");
    const notes = page.locator(".row-note");
    expect(await notes.count()).toBeGreaterThan(3);
    for (const note of await notes.all()) {
      expect(await note.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(
        true,
      );
      const [box, row] = [
        await note.boundingBox(),
        await note.locator("xpath=ancestor::article").boundingBox(),
      ];
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(
        (row?.y ?? 0) + (row?.height ?? 0),
      );
    }
  }
});

test.describe("the results without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("lead from day to day, to the tracks and to the file of each meeting", async ({ page }) => {
    const today = daysFromToday(0);
    const heading = page.getByRole("heading", { level: 1 });
    const days = page.getByRole("navigation", { name: "Other days" }).getByRole("link");
    await page.goto("/results");
    await expect(heading).toHaveText(formatDate(today, "long"));
    await days.last().click();
    await expect(page).toHaveURL(/\/results\/\d{4}-\d\d-\d\d$/);
    const date = new URL(page.url()).pathname.slice("/results/".length);
    expect(date < today).toBe(true);
    await expect(heading).toHaveText(formatDate(date, "long"));

    const meeting = page.locator("main section").filter({ hasText: "Source:" }).first();
    const results = await meeting.getByRole("listitem").count();
    expect(results).toBeGreaterThan(0);
    const link = meeting.getByRole("link", { name: "Download as CSV" });
    const file = await page.request.get((await link.getAttribute("href")) ?? "");
    const [, ...runners] = parse(await file.text(), { bom: true });
    expect(new Set(runners.map(([race]) => race)).size).toBe(results);

    const track = meeting.getByRole("heading", { level: 2 }).getByRole("link");
    const name = (await track.textContent()) ?? "";
    await track.click();
    await expect(heading).toContainText(name);
    await page.goBack();
    await days.first().click();
    await expect(page).toHaveURL("/results");
  });
});

test.describe("the help centre", () => {
  test("finds answers while typing, ignoring case", async ({ page }) => {
    await page.goto("/help");
    await expect(page.locator("details")).not.toHaveCount(1);
    await page.getByRole("searchbox").fill("DO COINS EXPIRE");
    await expect(page.locator("main details")).toHaveCount(1);
    await expect(page.locator("main").getByRole("status")).toContainText("1 answer");
  });

  test("opens one answer at a time", async ({ page }) => {
    await page.goto("/help");
    const openAnswers = page.locator("main details[open]");
    await page.getByText("Do coins expire?").click();
    await expect(openAnswers).toHaveCount(1);
    await page.getByText("Can I get a refund?").first().click();
    await expect(openAnswers).toHaveCount(1);
    await expect(openAnswers).toContainText("final and non-refundable");
  });

  test("shows a message without results, and escapes the query", async ({ page }) => {
    const query = "<img src=x onerror=alert(1)>.*";
    await page.goto(`/help?q=${encodeURIComponent(query)}`);
    await expect(page.getByText("No results found")).toBeVisible();
    await expect(page.locator("main").getByRole("status")).toContainText(query);
    await page.locator("main").getByRole("link", { name: "Contact support" }).first().click();
    await expect(page).toHaveURL("/contact");
  });

  test("opens the answer of a popular topic", async ({ page }) => {
    await page.goto("/help");
    await page.getByRole("link", { name: "I have coins but can't open a race card" }).click();
    await expect(page.locator("#cannot-unlock")).toHaveAttribute("open", "");
    await expect(page.getByText("check that you are logged in")).toBeInViewport();
  });
});

test.describe("the contact form", () => {
  // No mail program is installed here.
  test.use({ expectedConsoleErrors: [/Failed to launch 'mailto:/] });

  test("passes the message to the mail program without extra headers", async ({ page }) => {
    await page.goto("/contact");
    await page.getByLabel("Name").fill("Thandi & Co");
    await page.getByLabel("Email").fill("thandi@example.test");
    await page
      .getByRole("textbox", { name: "Message" })
      .fill("First line\nBcc: everyone@example.test");
    await page.getByRole("button", { name: "Open in my email app" }).click();
    const link = page.getByRole("status").getByRole("link", { name: "try again" });
    const mailtoUrl = new URL((await link.getAttribute("href")) ?? "");
    expect(mailtoUrl.protocol).toBe("mailto:");
    expect([...mailtoUrl.searchParams.keys()]).toEqual(["subject", "body"]);
    expect(mailtoUrl.searchParams.get("subject")).toBe("Furlong support enquiry");
    expect(mailtoUrl.searchParams.get("body")).toBe(
      "First line\r\nBcc: everyone@example.test\r\n\r\nName: Thandi & Co\r\nEmail: thandi@example.test",
    );
  });

  test("reports missing fields", async ({ page }) => {
    await page.goto("/contact");
    await page.getByLabel("Name").fill("Thandi");
    await page.getByLabel("Email").fill("not an address");
    await page.getByRole("textbox", { name: "Message" }).fill("Hello");
    await page.getByRole("button", { name: "Open in my email app" }).click();
    await expect(page.getByRole("link", { name: "try again" })).toHaveCount(0);
    await expect(page.getByText("Please enter a valid email address")).toBeVisible();
    await expect(page.getByLabel("Email")).toBeFocused();
  });

  test("offers no chat yet", async ({ page }) => {
    await page.goto("/contact");
    await expect(page.getByRole("button", { name: "Start Chat (Coming Soon)" })).toBeDisabled();
  });
});

test("the leaderboard keeps the selected track and period in its URL", async ({ page }) => {
  await page.goto("/leaderboard");
  await page.getByLabel("Track").selectOption({ label: "Greyville" });
  await expect(page).toHaveURL(/venue=greyville/);
  await page.getByLabel("Period").selectOption({ label: "Last 30 days" });
  await expect(page).toHaveURL(/period=30-days/);
  await page.reload();
  await expect(page.getByLabel("Track")).toHaveValue("greyville");
  await expect(page.getByText("Last 30 days, Greyville, all tips").first()).toBeVisible();
});

test("an unknown track shows a 404 page", async ({ page, request }) => {
  expect((await request.get("/tracks/ascot")).status()).toBe(404);
  await page.goto("/racing-tracks");
  await page.getByRole("link", { name: "Turffontein" }).first().click();
  await expect(page).toHaveURL("/tracks/turffontein");
  await expect(page.getByRole("img", { name: /outline of Turffontein/ })).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the help centre searches, and opens a linked answer", async ({ page }) => {
    await page.goto("/help");
    await page.getByRole("searchbox").fill("spam folder");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page).toHaveURL(/q=spam\+folder/);
    await expect(page.locator("main details")).toHaveCount(1);
    await page.goto("/help?answer=refunds#refunds");
    await expect(
      page.getByText("All purchases").or(page.getByText("Purchases are final")),
    ).toBeVisible();
  });

  test("the contact page has a plain link in place of the form", async ({ page }) => {
    await page.goto("/contact");
    await expect(page.getByRole("button", { name: "Open in my email app" })).toBeHidden();
    await expect(page.getByRole("link", { name: /^email / })).toHaveAttribute(
      "href",
      /^mailto:[^?]+\?subject=Furlong%20support%20enquiry$/,
    );
  });

  test("the leaderboard shows the selected track", async ({ page }) => {
    await page.goto("/leaderboard");
    await page.getByLabel("Track").selectOption("vaal");
    await page.getByRole("button", { name: "Show" }).click();
    await expect(page.getByText("All time, Vaal, all tips").first()).toBeVisible();
  });
});

test("the manifest's icons exist in the declared sizes", async ({ page }) => {
  await page.goto("/contact");
  const href = await page.locator('link[rel="manifest"]').getAttribute("href");
  const response = await page.request.get(href ?? "");
  expect(response.headers()["content-type"]).toContain("application/manifest+json");
  const { icons } = await response.json();
  for (const icon of icons as { src: string; sizes: string; type: string }[]) {
    const image = await page.request.get(icon.src);
    expect(image.headers()["content-type"]).toContain(icon.type);
    if (icon.type !== "image/png") continue;
    const bytes = await image.body();
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(icon.sizes);
  }
  const preview = await page.locator('meta[property="og:image"]').getAttribute("content");
  expect((await page.request.get(new URL(preview ?? "").pathname)).status()).toBe(200);
});
