import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Every rule of axe holds on the page as it stands, once nothing on it moves any more. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNothingFound(page);
}

/** The same in both themes, in which only colours differ; what fades does so at once. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNothingFound(page, "color-contrast");
}

/** A mail's words stand out from its paper in the programs that are light and in those that are dark. */
export async function expectReadableMail(page: Page, html: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setContent(html);
    await expectNothingFound(page, "color-contrast");
  }
}

async function expectNothingFound(page: Page, rule?: string): Promise<void> {
  await expectStill(page);
  // In the page itself, which has no frames of other origins, and told of what is wrong alone: the other
  // way opens a page more for each look and carries all that is right through it.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  if (rule) axe.withRules(rule);
  const { violations } = await axe.analyze();
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
  expect(found, page.url()).toEqual([]);
}

/** Nothing sticks out to the side of a screen of these widths, and no choice is cut off. */
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

/** What the narrow selects of a page have chosen and cannot show whole. */
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

/** A colour half way through its change, or a text in a stand-in's font, is not what a person reads. */
async function expectStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await document.fonts.ready;
    // A change of theme starts its transitions in the next frame, and inherited ones in the one after.
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
      // Some never come to an end: what was hidden while it moved.
      const wait = new Promise((done) => setTimeout(done, 1_000));
      await Promise.race([wait, Promise.allSettled(moving.map(({ finished }) => finished))]);
    }
  });
}
