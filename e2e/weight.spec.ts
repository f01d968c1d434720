import type { Page } from "@playwright/test";
import { LIST_PATH } from "#ui/list-path.ts";
import { expect, test } from "./test.ts";
import { findUnopenedRaceCard, signIn } from "./users.ts";

/** The kB of compressed scripts once they run, the kB of HTML, and the elements. */
type Weight = { scripts: number; html: number; elements: number };

const PUNTER = "punter@furlong.test";

/**
 * The most that a page may weigh. HTML and elements only where other tests do not add to the page; those of home are in
 * `home.spec.ts` and `home-weight.test.ts`.
 */
const BUDGETS: [path: string, email: string | null, maximum: Partial<Weight>][] = [
  ["/", null, { scripts: 142 }],
  [LIST_PATH, PUNTER, { scripts: 142 }],
  ["/race-cards/:id", null, { scripts: 157, html: 45, elements: 450 }],
  ["/race-cards/:id", PUNTER, { scripts: 157, html: 45, elements: 450 }],
  ["/unlock/:id", null, { scripts: 150, html: 25, elements: 260 }],
  ["/login", null, { scripts: 152, html: 20, elements: 220 }],
  ["/help", null, { scripts: 151, html: 95, elements: 700 }],
  ["/leaderboard", null, { scripts: 148 }],
  ["/my-cards", PUNTER, { scripts: 153 }],
  ["/buy-coins", PUNTER, { scripts: 146, html: 32, elements: 350 }],
  ["/tipster-dashboard/add", "tipster@furlong.test", { scripts: 167 }],
  ["/admin", "admin@furlong.test", { scripts: 169 }],
];

for (const [path, email, maximum] of BUDGETS)
  test(`${path} for ${email ?? "a guest"} weighs no more than its budget`, async ({ page }) => {
    const { id } = await findUnopenedRaceCard(page);
    if (email) await signIn(page, email);
    const response = await page.goto(path.replace(":id", id));
    await page.waitForLoadState("networkidle");
    const files = await listScripts(page);
    const weight: Weight = {
      scripts: toKb(files.reduce((sum, { bytes }) => sum + bytes, 0)),
      html: toKb((await response?.body())?.length ?? 0),
      elements: await page.locator("*").count(),
    };
    const largest = files
      .slice(0, 6)
      .map(({ name, bytes }) => `${name} ${toKb(bytes)} kB`)
      .join(", ");
    expect(weight.scripts).toBeGreaterThan(0);
    for (const [what, value] of Object.entries(maximum))
      expect
        .soft(
          weight[what as keyof Weight],
          what === "scripts" ? `scripts, of them ${largest}` : what,
        )
        .toBeLessThanOrEqual(value);
  });

function toKb(bytes: number): number {
  return Math.ceil(bytes / 1000);
}

/** Returns the scripts that the page has loaded, each once, the largest first. */
async function listScripts(page: Page): Promise<{ name: string; bytes: number }[]> {
  const entries = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith(".js"))
      .map(({ name, encodedBodySize }) => [name.replace(/^.*\//, ""), encodedBodySize] as const),
  );
  return [...new Map(entries.toSorted(([, a], [, b]) => a - b))]
    .map(([name, bytes]) => ({ name, bytes }))
    .reverse();
}
