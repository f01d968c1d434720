import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { expect, test } from "./test.ts";

/**
 * The Chromium version of the reference screenshots, which is the bundled one. Others render slightly
 * differently.
 */
const REFERENCE_CHROMIUM = Number.parseInt(
  JSON.parse(readFileSync("node_modules/@sparticuz/chromium/package.json", "utf8")).version,
  10,
);
const THEMES = ["light", "dark"] as const;
const SECTIONS = [
  "race-card",
  "header",
  "type",
  "actions",
  "forms",
  "messages",
  "figures",
  "turf",
  "silks",
  "tracks",
  "lists",
  "charts",
  "waiting",
];

test.use({ viewport: { width: 800, height: 1000 } });

/**
 * Halves the size of a screenshot. This blurs antialiased edges, which differ between machines, and
 * keeps colours, sizes and positions.
 */
async function takeScreenshot(target: Page | Locator): Promise<Buffer> {
  const fullSize = await target.screenshot({
    animations: "disabled",
    caret: "hide",
    // Fixed elements would cover the sections.
    style:
      "header.sticky { position: static } .fixed.bottom-0:not([role]), a[href='#content'] { display: none }",
  });
  const { width = 2 } = await sharp(fullSize).metadata();
  return await sharp(fullSize)
    .resize({ width: Math.round(width / 2), kernel: "mitchell" })
    .png({ compressionLevel: 9, palette: true, colours: 128, dither: 0 })
    .toBuffer();
}

async function expectScreenshot(target: Page | Locator, name: string): Promise<void> {
  expect
    .soft(await takeScreenshot(target), `${name} matches its reference screenshot`)
    .toMatchSnapshot(`${name}.png`, { threshold: 0.06, maxDiffPixelRatio: 0.004 });
}

for (const colorScheme of THEMES) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: "reduce" } });

    test.beforeEach(({ browser }) => {
      const major = Number.parseInt(browser.version(), 10);
      test.skip(
        process.platform !== "linux" || major !== REFERENCE_CHROMIUM,
        `The screenshots need Chromium ${REFERENCE_CHROMIUM} on Linux; this is version ${major}.`,
      );
    });

    test.describe("without JavaScript", () => {
      // Server-rendered, without timers or animations.
      test.use({ javaScriptEnabled: false });

      test("every component matches its reference screenshot", async ({ page }) => {
        await page.goto("/demo/gallery");
        for (const id of SECTIONS)
          await expectScreenshot(page.locator(`#${id}`), `${id}-${colorScheme}`);
      });
    });

    test("toasts and dialogs match their reference screenshots", async ({ page }) => {
      await page.goto("/demo/gallery");
      const messages = page.locator("#messages");
      const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"));
      // The first click may come before hydration.
      await expect(async () => {
        if (await dialog.isVisible()) return;
        await messages.getByRole("button", { name: "Confirmation" }).click({ timeout: 2_000 });
        await expect(dialog).toBeVisible({ timeout: 2_000 });
      }).toPass();
      await expectScreenshot(dialog, `confirmation-${colorScheme}`);
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await messages.getByRole("button", { name: "Dialog", exact: true }).click();
      await expectScreenshot(dialog, `dialog-${colorScheme}`);
      await dialog.getByRole("button", { name: "Done" }).click();
      for (const type of ["success", "error", "warning", "info"]) {
        await messages.getByRole("button", { name: `${type} notification` }).click();
        await expectScreenshot(dialog, `${type}-${colorScheme}`);
        await dialog.getByRole("button", { name: "OK" }).click();
        await expect(dialog).toHaveCount(0);
      }
    });
  });
}

test("the gallery shows all sections, fits every screen and is accessible", async ({ page }) => {
  await page.goto("/demo/gallery");
  const ids = await page
    .locator("main section[id]")
    .evaluateAll((sections) => sections.map(({ id }) => id));
  expect(ids).toEqual(SECTIONS);
  await expectAccessibleInBothThemes(page);
  await expectToFit(page, 320, 360, 768, 1280);
});
