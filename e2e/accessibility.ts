import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const AXE_SCRIPT = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Checks the page with all axe rules after all animations have ended. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page);
}

/** Checks the page in both themes, which differ only in colours, without animations. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNoViolations(page, "color-contrast");
}

/** Checks the contrast of an email in light and dark mail programs. */
export async function expectReadableEmail(page: Page, html: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setContent(html);
    await expectNoViolations(page, "color-contrast");
  }
}

async function expectNoViolations(page: Page, rule?: string): Promise<void> {
  await endAnimations(page);
  // Loads axe once per page. The builder of @axe-core/playwright loads it again for each check.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE_SCRIPT);
  const messages = await page.evaluate(async (onlyRule) => {
    const results = await window.axe?.run({
      // The only frames are emails in the demo's mailbox, which run no scripts.
      iframes: false,
      resultTypes: ["violations"],
      ...(onlyRule ? { runOnly: [onlyRule] } : {}),
    });
    document.adoptedStyleSheets = [];
    return results?.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html}`),
    );
  }, rule);
  expect(messages, page.url()).toEqual([]);
}

/** Checks that nothing overflows horizontally at these widths and no select is truncated. */
export async function expectToFit(page: Page, ...widths: number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 740 });
    const overflowing = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      return [...document.querySelectorAll("body *")]
        .filter(({ children }) => children.length === 0)
        .filter((element) => element.getBoundingClientRect().right > clientWidth)
        .map((element) => `${element.parentElement?.outerHTML}`)
        .filter((html) => !html.includes("<nav"))
        .slice(0, 5);
    });
    expect.soft(overflowing, `${page.url()} at ${width}`).toEqual([]);
    expect
      .soft(await findTruncatedSelects(page), `truncated on ${page.url()} at ${width}`)
      .toEqual([]);
  }
}

/** Returns the selected options that their selects truncate. */
async function findTruncatedSelects(page: Page): Promise<string[]> {
  return await page.locator("select:visible").evaluateAll((selects: HTMLSelectElement[]) =>
    selects.flatMap((select) => {
      const clone = select.cloneNode() as HTMLSelectElement;
      clone.style.width = "max-content";
      clone.append(...[...select.selectedOptions].map((option) => option.cloneNode(true)));
      select.after(clone);
      const requiredWidth = clone.offsetWidth;
      clone.remove();
      return requiredWidth > select.offsetWidth ? [`${select.selectedOptions[0]?.text}`] : [];
    }),
  );
}

/**
 * Shows the page as it is after its transitions and animations, because users do not read their intermediate states. To
 * wait for them would take seconds: a change of the theme repaints a large page for each frame of them. The check
 * removes the style sheet.
 */
async function endAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const sheet = new CSSStyleSheet();
    // Content that is skipped outside the viewport keeps the colours of the last theme until its style is read.
    sheet.replaceSync(`
      *, ::before, ::after, ::backdrop {
        transition: none !important;
        animation-duration: 0s !important;
        animation-delay: 0s !important;
        animation-iteration-count: 1 !important;
        content-visibility: visible !important;
      }
    `);
    document.adoptedStyleSheets = [sheet];
    for (const animation of document.getAnimations()) animation.finish();
    await new Promise(requestAnimationFrame);
  });
}
