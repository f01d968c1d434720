import { test as base, expect } from "@playwright/test";
import { waitUntilPagesListen } from "./hydration.ts";

export { expect };

type Options = {
  /** Console errors that the test causes on purpose, such as a status of 402. */
  expectedComplaints: RegExp[];
};

/** Playwright's test, which also fails on unexpected console errors. */
export const test = base.extend<Options & { quietConsole: undefined; listeningPages: undefined }>({
  expectedComplaints: [[], { option: true }],
  quietConsole: [
    async ({ context, expectedComplaints }, use) => {
      const complaints: string[] = [];
      context.on("weberror", (error) => complaints.push(String(error.error())));
      context.on("console", (message) => {
        if (message.type() === "error")
          complaints.push(`${message.text()} (${message.location().url})`);
      });
      await use(undefined);
      const unexpected = complaints.filter(
        (complaint) => !expectedComplaints.some((expected) => expected.test(complaint)),
      );
      expect(unexpected, "the browser's console").toEqual([]);
    },
    { auto: true },
  ],
  listeningPages: [
    async ({ page, javaScriptEnabled }, use) => {
      waitUntilPagesListen(page, { javaScriptEnabled: javaScriptEnabled !== false });
      await use(undefined);
    },
    { auto: true },
  ],
});
