import type { Locator, Page } from "@playwright/test";
import { expectToFit } from "./accessibility.ts";
import { expect, test } from "./test.ts";

// Tests that a guest can check a day of the public log in the browser.

const NO_FINDINGS =
  /^[\d\s]+ entr(y|ies), [\d\s]+ checkpoints?, [\d\s]+ tips?, ([\d\s]+ of [\d\s]+ due ones revealed|none due to be revealed yet)\. Nothing wrong found\.$/;

/** Returns the days on the page, newest first. The first one is today or yesterday, the others are over. */
function findDays(page: Page): Locator {
  return page
    .getByRole("region", { name: "Check a day" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { level: 3 }) });
}

const findButton = (day: Locator) => day.getByRole("button", { name: "Check this day" });

test("a guest opens the page from the footer and checks each day", async ({ page }) => {
  await page.goto("/");
  await page
    .getByRole("navigation", { name: "Footer" })
    .getByRole("link", { name: "Check our record" })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Check our record");
  await expect(page).toHaveURL(/\/proof$/);
  const days = findDays(page);
  await expect(days).toHaveCount(14);
  for (const day of await days.all()) {
    await findButton(day).click();
    await expect(day.getByRole("status")).toHaveText(NO_FINDINGS);
  }
});

test.describe("when files are changed or missing", () => {
  test.use({ expectedConsoleErrors: [/net::ERR_FAILED/] });

  test("a changed entry is reported", async ({ page }) => {
    await page.route("**/proof/days/*/entries.jsonl", async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({ response, body: text.replace("confidence", "confidences") });
    });
    await page.goto("/proof");
    const day = findDays(page).nth(1);
    await findButton(day).click();
    await expect(day.getByRole("alert")).toContainText("this day does not hold");
    await expect(day.getByRole("alert").getByRole("listitem").first()).toHaveText(
      /^\w[\w ]+: .+\.$/,
    );
    await expect(day.getByRole("alert")).toContainText("rewritten:");
    await expectToFit(page, 360);
  });

  test("a check can be retried after a connection error", async ({ page }) => {
    await page.goto("/proof");
    const day = findDays(page).nth(2);
    for (const file of ["**/proof/verify.js*", "**/proof/keys"]) {
      await page.route(file, (route) => route.abort());
      await day.getByRole("button").click();
      await expect(day.getByRole("alert")).toContainText("nothing was checked");
      await expect(day.getByRole("button")).toHaveText("Try again");
      await page.unroute(file);
    }
    await day.getByRole("button").click();
    await expect(day.getByRole("status")).toHaveText(NO_FINDINGS);
    await expect(day.getByRole("alert")).toHaveCount(0);
  });

  test("a browser without Ed25519 reports that the signature was not checked", async ({ page }) => {
    await page.addInitScript(() => {
      const importKey = crypto.subtle.importKey.bind(crypto.subtle);
      Object.defineProperty(crypto.subtle, "importKey", {
        value: async (...args: Parameters<typeof importKey>) => {
          if (String(args[2]) === "Ed25519") throw new Error("Unrecognized name.");
          return await importKey(...args);
        },
      });
    });
    await page.goto("/proof");
    const day = findDays(page).nth(1);
    await findButton(day).click();
    await expect(day.getByRole("status")).toHaveText(NO_FINDINGS);
    await expect(day.getByRole("alert")).toContainText("Your browser cannot check the signature.");
  });
});

test("the check does not depend on the viewer's clock", async ({ page }) => {
  await page.clock.setFixedTime("2020-01-01T12:00:00Z");
  await page.goto("/proof");
  const day = findDays(page).nth(3);
  await findButton(day).click();
  await expect(day.getByRole("status")).toHaveText(NO_FINDINGS);
  await expect(day.getByRole("status")).toContainText("due ones revealed");
});

test("a day can be checked by keyboard, keeps the focus and fits a narrow phone", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/proof");
  const day = findDays(page).nth(1);
  await day.getByRole("link", { name: "creators.jsonl" }).focus();
  await page.keyboard.press("Tab");
  await expect(findButton(day)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(day.getByRole("status")).toHaveText(NO_FINDINGS);
  await expect(findButton(day)).toBeFocused();
  await expectToFit(page, 360);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the files of a day are links", async ({ page, request }) => {
    await page.goto("/proof");
    const day = findDays(page).nth(1);
    // Searches by text leave out `noscript` elements.
    await expect(page.locator("main noscript p")).toBeVisible();
    await expect(findButton(day)).toBeHidden();
    const links = await day.getByRole("link").all();
    expect(links).toHaveLength(7);
    for (const link of links) {
      const response = await request.get((await link.getAttribute("href")) as string);
      expect(response.status()).toBe(200);
    }
  });
});
