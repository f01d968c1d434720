import { existsSync } from "node:fs";
import puppeteer from "puppeteer-core";
import { type BrowserDriver, waitUntil } from "./browser-driver.ts";

const FIREFOX = "/usr/bin/firefox-esr";

/** Starts Debian's Firefox over WebDriver BiDi. Returns null if it is not installed. */
export async function openFirefox(): Promise<BrowserDriver | null> {
  if (!existsSync(FIREFOX)) return null;
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: FIREFOX,
    headless: true,
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  const scriptErrors: string[] = [];
  page.on("pageerror", (error) => scriptErrors.push(String(error)));
  return {
    name: `Firefox (${await browser.version()})`,
    open: async (url) => void (await page.goto(url, { waitUntil: "domcontentloaded" })),
    url: async () => page.url(),
    click: (xpath) =>
      waitUntil(`a click on ${xpath}`, async () => {
        for (const element of await page.$$(`xpath/${xpath}`)) {
          if (!(await element.isVisible())) continue;
          await element.click();
          return true;
        }
        return false;
      }),
    fill: (css, text) =>
      waitUntil(`input into ${css}`, async () => {
        const element = await page.$(css);
        if (!element || !(await element.isVisible())) return false;
        await element.evaluate((field) => (field as HTMLInputElement).select());
        await element.type(text);
        return true;
      }),
    evaluate: async <T>(body: string) => (await page.evaluate(`(() => {${body}})()`)) as T,
    scriptErrors: () => scriptErrors,
    screenshot: async (path) => void (await page.screenshot({ path: path as `${string}.png` })),
    close: () => browser.close(),
  };
}
