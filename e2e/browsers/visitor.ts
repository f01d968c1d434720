/** A browser that a journey drives, whatever protocol it speaks. */
export type Visitor = {
  name: string;
  open(url: string): Promise<void>;
  url(): Promise<string>;
  /** Presses the first visible element that the XPath finds. */
  press(xpath: string): Promise<void>;
  /** Types into the visible field that the CSS selector finds, in place of what it holds. */
  type(css: string, text: string): Promise<void>;
  /** Runs a function body in the page and returns what it returns. */
  evaluate<T>(body: string): Promise<T>;
  /** Errors that no script caught, as far as the protocol tells of them. */
  complaints(): string[];
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
};

const PATIENCE_MS = 30_000;

/** Waits until a condition holds; throws with its description after half a minute. */
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
      // The page is being replaced, or does not show it yet.
      reason = `: ${error instanceof Error ? error.message.split("\n")[0] : error}`;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`${what} did not come about${reason}`);
}
