/** Drives a browser, independent of its automation protocol. */
export type Visitor = {
  name: string;
  open(url: string): Promise<void>;
  url(): Promise<string>;
  /** Clicks the first visible element that matches the XPath. */
  press(xpath: string): Promise<void>;
  /** Replaces the content of the visible field that matches the CSS selector. */
  type(css: string, text: string): Promise<void>;
  /** Runs a function body in the page and returns its result. */
  evaluate<T>(body: string): Promise<T>;
  /** Uncaught script errors, as far as the protocol reports them. */
  complaints(): string[];
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
};

const PATIENCE_MS = 30_000;

/** Waits until a condition is true. Throws an Error with its description after 30 s. */
export async function eventually(
  what: string,
  isSo: () => Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const end = Date.now() + patienceMs;
  let reason = "";
  while (Date.now() < end) {
    try {
      if (await isSo()) return;
    } catch (error) {
      // The page is navigating, or has not rendered it yet.
      reason = `: ${error instanceof Error ? error.message.split("\n")[0] : error}`;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`${what} did not come about${reason}`);
}
