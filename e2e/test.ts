import { Agent } from "node:http";
import { test as base, expect } from "@playwright/test";
import { waitForHydrationAfterNavigation } from "./hydration.ts";

export { expect };

// Playwright's request context reuses idle connections until the server closes them. A request sent
// at the instant of that close fails with ECONNRESET (8 of 1,000 requests after 5.7 to 6 s idle, on a
// busy machine), so each request opens its own connection.
Agent.prototype.keepSocketAlive = () => false;

/**
 * React Router 8 leaves this rejection unhandled when a navigation or submission replaces another one
 * whose data is still arriving (turbo-stream's `done` promise). Nothing fails for the user.
 */
const ABORTED_DATA = "AbortError: BodyStreamBuffer was aborted";

type Options = {
  /** Console errors that the test causes on purpose, such as a status of 402. */
  expectedConsoleErrors: RegExp[];
};

/** Playwright's test, which also fails on unexpected console errors. */
export const test = base.extend<Options & { consoleCheck: undefined; hydrationWait: undefined }>({
  expectedConsoleErrors: [[], { option: true }],
  consoleCheck: [
    async ({ context, expectedConsoleErrors }, use) => {
      const consoleErrors: string[] = [];
      context.on("weberror", (error) => {
        if (String(error.error()) !== ABORTED_DATA) consoleErrors.push(String(error.error()));
      });
      context.on("console", (message) => {
        if (message.type() === "error")
          consoleErrors.push(`${message.text()} (${message.location().url})`);
      });
      await use(undefined);
      const unexpected = consoleErrors.filter(
        (message) => !expectedConsoleErrors.some((expected) => expected.test(message)),
      );
      expect(unexpected, "the browser's console").toEqual([]);
    },
    { auto: true },
  ],
  hydrationWait: [
    async ({ page, javaScriptEnabled }, use) => {
      waitForHydrationAfterNavigation(page, { javaScriptEnabled: javaScriptEnabled !== false });
      await use(undefined);
    },
    { auto: true },
  ],
});
