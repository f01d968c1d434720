import { computeCode, currentStep } from "#accounts/two-step/one-time-code.server.ts";
import type { Browser } from "./browser.ts";

/** Turns two-step login on through the pages, for a browser whose user is an admin. Returns the key of the app. */
export async function turnOnTwoStep(browser: Browser, password: string): Promise<string> {
  const page = await (await browser.post("/admin/two-step/set-up", { password })).text();
  const key = (/<code[^>]*>([A-Z2-7 ]{39})<\/code>/.exec(page)?.[1] ?? "").replaceAll(" ", "");
  const encryptedKey = /name="encryptedKey" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const code = computeCode(key, currentStep());
  const response = await browser.post("/admin/two-step/confirm", { encryptedKey, code });
  if (response.status !== 200) throw new Error(`two-step login is not on: ${response.status}`);
  return key;
}
