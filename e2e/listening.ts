import type { Page } from "@playwright/test";

const LONGEST_MS = 15_000;
let isScripted = true;
const patched = new WeakSet<object>();

/**
 * From here on every page that a test goes to is waited for until it listens: its scripts begin after it
 * has been painted, which the browser's load event does not wait for. What happens before that is what
 * happens without scripts, and has tests of its own.
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
        // A page without scripts of ours, or one that React has taken over.
        !document.querySelector("script[type=later]") ||
        Object.keys(document.body).some((key) => key.startsWith("__reactProps")),
      undefined,
      { timeout: LONGEST_MS },
    );
  } catch {
    // It has gone on to another page, or its scripts do not come: the test says which it wants.
  }
}
