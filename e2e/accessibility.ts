import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Checks the page with all axe rules, once all animations have ended. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNothingFound(page);
}

/** Checks the page in both themes, which differ only in colours, without animations. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNothingFound(page, "color-contrast");
}

/** Checks the contrast of an email in light and dark mail programs. */
export async function expectReadableMail(page: Page, html: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setContent(html);
    await expectNothingFound(page, "color-contrast");
  }
}

async function expectNothingFound(page: Page, rule?: string): Promise<void> {
  await expectStill(page);
  // Runs axe in the page itself, which has no cross-origin frames, and returns violations only: the
  // builder opens another page for each check and transfers all passed rules.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  if (rule) axe.withRules(rule);
  const { violations } = await axe.analyze();
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
  expect(found, page.url()).toEqual([]);
}

/** Checks that nothing overflows horizontally at these widths and no select is truncated. */
export async function expectToFit(page: Page, ...widths: number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 740 });
    const stickingOut = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      return [...document.querySelectorAll("body *")]
        .filter(({ children }) => children.length === 0)
        .filter((element) => element.getBoundingClientRect().right > clientWidth)
        .map((element) => `${element.parentElement?.outerHTML}`)
        .filter((html) => !html.includes("<nav"))
        .slice(0, 5);
    });
    expect.soft(stickingOut, `${page.url()} at ${width}`).toEqual([]);
    expect.soft(await cutOff(page), `cut off on ${page.url()} at ${width}`).toEqual([]);
  }
}

/** Returns the selected options that their selects truncate. */
async function cutOff(page: Page): Promise<string[]> {
  return await page.locator("select:visible").evaluateAll((selects: HTMLSelectElement[]) =>
    selects.flatMap((select) => {
      const alone = select.cloneNode() as HTMLSelectElement;
      alone.style.width = "max-content";
      alone.append(...[...select.selectedOptions].map((option) => option.cloneNode(true)));
      select.after(alone);
      const needs = alone.offsetWidth;
      alone.remove();
      return needs > select.offsetWidth ? [`${select.selectedOptions[0]?.text}`] : [];
    }),
  );
}

/** Waits for transitions and fonts, because users do not read their intermediate states. */
async function expectStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await document.fonts.ready;
    // A theme change starts its transitions in the next frame, and inherited ones in the frame after.
    const until = performance.now() + 5_000;
    for (let quiet = 0; quiet < 3 && performance.now() < until; ) {
      await frame();
      const moving = document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState === "running" && effect?.getComputedTiming().iterations !== Infinity,
        );
      quiet = moving.length === 0 ? quiet + 1 : 0;
      // Some never finish: elements that were hidden during the animation.
      const wait = new Promise((done) => setTimeout(done, 1_000));
      await Promise.race([wait, Promise.allSettled(moving.map(({ finished }) => finished))]);
    }
  });
}
