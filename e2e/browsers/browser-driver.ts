/** Drives a browser, independent of its automation protocol. */
export type BrowserDriver = {
  name: string;
  open(url: string): Promise<void>;
  url(): Promise<string>;
  /** Clicks the first visible element that matches the XPath. */
  click(xpath: string): Promise<void>;
  /** Replaces the content of the visible field that matches the CSS selector. */
  fill(css: string, text: string): Promise<void>;
  /** Runs a function body in the page and returns its result. */
  evaluate<T>(body: string): Promise<T>;
  /** Uncaught script errors, as far as the protocol reports them. */
  scriptErrors(): string[];
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
};

const TIMEOUT_MS = 30_000;

/** Waits until the condition is true. Throws an Error with the description after the timeout. */
export async function waitUntil(
  description: string,
  condition: () => Promise<boolean>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let reason = "";
  while (Date.now() < deadline) {
    try {
      if (await condition()) return;
    } catch (error) {
      // The page is navigating, or has not rendered it yet.
      reason = `: ${error instanceof Error ? error.message.split("\n")[0] : error}`;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`Timed out waiting for ${description}${reason}`);
}
