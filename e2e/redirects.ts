import type { Page } from "@playwright/test";

/**
 * Holds the timers with which pages redirect after a message, so that a slow machine reads the message in time. Applies
 * to the documents that the page opens from now on. Returns a function that runs the held timers of the open document.
 */
export async function holdRedirects(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const original = { setTimeout: window.setTimeout, clearTimeout: window.clearTimeout };
    const held = new Map<unknown, () => void>();
    const isRedirectDelay = (delay: number) => delay >= 2_000 && delay <= 5_000;
    Object.assign(window, {
      setTimeout(callback: () => void, delay = 0) {
        if (!isRedirectDelay(delay)) return original.setTimeout.call(window, callback, delay);
        const id = original.setTimeout.call(window, () => {}, 0);
        held.set(id, callback);
        return id;
      },
      clearTimeout(id: number) {
        held.delete(id);
        original.clearTimeout.call(window, id);
      },
      runHeldTimers() {
        for (const callback of held.values()) callback();
        held.clear();
      },
    });
  });
  return () => page.evaluate(() => Reflect.get(window, "runHeldTimers")());
}
