import type { Page } from "@playwright/test";

const LONGEST_MS = 15_000;
let isScripted = true;
const patched = new WeakSet<object>();

/**
 * Makes every navigation of a test wait for hydration, which starts after the first paint and is not
 * covered by the load event. Behaviour before hydration equals behaviour without scripts and has
 * its own tests.
 */
export function waitUntilPagesListen(page: Page, options: { javaScriptEnabled: boolean }): void {
  isScripted = options.javaScriptEnabled;
  const all = Object.getPrototypeOf(page) as Pick<Page, "goto" | "reload" | "goBack">;
  if (patched.has(all)) return;
  patched.add(all);
  for (const name of ["goto", "reload", "goBack"] as const) {
    const go = all[name] as (this: Page, ...args: unknown[]) => Promise<never>;
    Object.assign(all, {
      async [name](this: Page, ...args: unknown[]) {
        const answer = await go.apply(this, args);
        if (isScripted) await listening(this);
        return answer;
      },
    });
  }
}

async function listening(page: Page): Promise<void> {
  try {
    await page.waitForFunction(
      () =>
        // True for pages without the application's scripts, and for hydrated pages.
        !document.querySelector("script[type=later]") ||
        Object.keys(document.body).some((key) => key.startsWith("__reactProps")),
      undefined,
      { timeout: LONGEST_MS },
    );
  } catch {
    // The page navigated away or its scripts failed to load. The test itself checks the result.
  }
}
