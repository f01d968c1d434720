import type { Page } from "@playwright/test";

const TIMEOUT_MS = 15_000;
let hasScripts = true;
const patchedPrototypes = new WeakSet<object>();
const pagesWithoutWait = new WeakSet<Page>();

/** Makes the navigations of a page return before hydration. */
export function skipHydrationWait(page: Page): void {
  pagesWithoutWait.add(page);
}

/**
 * Makes every navigation of a test wait for hydration, which starts after the first paint, or here with a key on a page
 * that is only read, and is not covered by the load event. Behaviour before hydration equals behaviour without JavaScript and has
 * its own tests.
 */
export function waitForHydrationAfterNavigation(
  page: Page,
  options: { javaScriptEnabled: boolean },
): void {
  hasScripts = options.javaScriptEnabled;
  const prototype = Object.getPrototypeOf(page) as Pick<Page, "goto" | "reload" | "goBack">;
  if (patchedPrototypes.has(prototype)) return;
  patchedPrototypes.add(prototype);
  for (const method of ["goto", "reload", "goBack"] as const) {
    const navigate = prototype[method] as (this: Page, ...args: unknown[]) => Promise<never>;
    Object.assign(prototype, {
      async [method](this: Page, ...args: unknown[]) {
        const response = await navigate.apply(this, args);
        if (hasScripts && !pagesWithoutWait.has(this)) await waitForHydration(this);
        return response;
      },
    });
  }
}

async function waitForHydration(page: Page): Promise<void> {
  try {
    await page.waitForFunction(
      () => {
        // True for pages without the application's scripts, for hydrated pages, and for unsupported
        // browsers, in which the content for browsers without JavaScript replaces its `noscript` elements.
        if (
          !document.querySelector("script[type=later]") ||
          (!("CompressionStream" in window) && !document.querySelector("noscript")) ||
          Object.keys(document.body).some((key) => key.startsWith("__reactProps"))
        )
          return true;
        window.dispatchEvent(new KeyboardEvent("keydown"));
        return false;
      },
      undefined,
      { timeout: TIMEOUT_MS },
    );
  } catch {
    // The page navigated away or its scripts failed to load. The test itself checks the result.
  }
}
