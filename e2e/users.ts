import { createHmac } from "node:crypto";
import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import { currentTime, daysFromToday } from "./clock.ts";

const DEMO_PASSWORD = "furlong-demo";
export const TEST_PASSWORD = "a long shot";
let userCount = 0;

/** Signs in as a demo account with the JSON API. */
export async function signIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  const response = await page.request.post("/api/sign-in", { data: { email, password } });
  expect(response.status()).toBe(200);
}

export type ListedRaceCard = { id: string; venue: string; tipster: string; raceCount: number };

/** Returns a matching race card that has no finished races and that this viewer has not unlocked. */
export async function findUnopenedRaceCard(
  page: Page,
  matches: (raceCard: ListedRaceCard) => boolean = () => true,
): Promise<ListedRaceCard> {
  let cursor = "";
  for (;;) {
    const { raceCards, next } = await (
      await page.request.get(`/api/race-cards?cursor=${cursor}`)
    ).json();
    for (const { id, venue, tipster, tips, opened, racesRun } of raceCards) {
      const raceCard = { id, venue, tipster, raceCount: tips.length };
      if (!opened && racesRun === 0 && matches(raceCard)) return raceCard;
    }
    if (!next) throw new Error("No unopened race card matches.");
    cursor = next;
  }
}

/**
 * Opens the home page and returns its first locked race card. Some of its races may have been run, because in the
 * afternoon the cards without finished races are on later pages.
 */
export async function findLockedRaceCardOnHome(
  page: Page,
): Promise<{ id: string; venue: string; panel: Locator }> {
  await page.goto("/");
  const panel = page
    .getByRole("article")
    .filter({
      has: page
        .getByRole("link", { name: "Open race card" })
        .or(page.getByRole("button", { name: "Open race card" })),
    })
    .filter({ has: page.locator('a[href^="/race-cards/"]') })
    .first();
  const href = await panel.locator('a[href^="/race-cards/"]').first().getAttribute("href");
  const venue = await panel
    .locator("xpath=ancestor::section[1]")
    .getByRole("heading", { level: 3 })
    .textContent();
  return { id: href?.replace("/race-cards/", "") ?? "", venue: venue ?? "", panel };
}

/** Confirms that races of the race card have been run if this is asked before `result` shows. */
export async function confirmRacesRun(page: Page, result: Locator): Promise<void> {
  const prompt = page.getByRole("alertdialog").filter({ hasText: /races? run/ });
  await expect(prompt.or(result).first()).toBeVisible();
  if (await prompt.isVisible())
    await prompt.getByRole("button", { name: "Open race card" }).click();
}

/** Buys a race card as a guest, which signs in a new user with 4 coins. */
export async function createBuyer(
  page: Page,
  name = "Nandi Khumalo",
): Promise<{ name: string; email: string; opened: ListedRaceCard }> {
  userCount += 1;
  const email = `nandi.${Date.now()}.${userCount}@example.test`;
  const opened = await findUnopenedRaceCard(page);
  await page.goto(`/unlock/${opened.id}`);
  await page.getByLabel("Full Name").fill(name);
  await page.getByLabel("Email").fill(email);
  await page.locator("input[name=password]").fill(TEST_PASSWORD);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Pay R40 and open race card" }).click();
  await page.waitForURL(/\/demo\/checkout\//);
  await page.getByLabel("Card number").fill(createCardNumber());
  await page.getByRole("button", { name: /^Pay R/ }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  return { name, email, opened };
}

/** Runs the callback with a page of a new browser context, and closes the context. */
export async function inAnotherBrowser<T>(
  browser: Browser,
  callback: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ javaScriptEnabled: true });
  try {
    return await callback(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Waits for an email with a link to this path and returns the newest link. */
export async function waitForEmailLink(page: Page, email: string, path: string): Promise<string> {
  let link = "";
  await expect(async () => {
    const emails: { to: string; text: string }[] = await (
      await page.request.get("/demo/mail.json")
    ).json();
    const texts = emails.filter(({ to }) => to === email).map(({ text }) => text);
    link = new RegExp(`https?://[^/\\s]+(${path}\\S+)`).exec(texts.join("\n"))?.[1] ?? "";
    expect(link).not.toBe("");
  }).toPass();
  return link;
}

/** Confirms a user's email address with the emailed link. */
export async function confirmEmail(page: Page, email: string): Promise<void> {
  await page.goto(await waitForEmailLink(page, email, "/auth-callback"));
  const confirmButton = page.getByRole("button", { name: "Confirm Email" });
  const successMessage = page.getByText("Email confirmed successfully! Welcome to Furlong!");
  await expect(confirmButton.or(successMessage).first()).toBeVisible();
  if (await confirmButton.isVisible()) await confirmButton.click();
  await expect(successMessage).toBeVisible();
}

/** Invites an analyst from an admin page and sets the analyst's password in another browser. */
export async function createAnalyst(
  page: Page,
  browser: Browser,
  options: { fullName?: string; displayName?: string } = {},
): Promise<{ email: string; displayName: string }> {
  userCount += 1;
  const uniqueSuffix = `${Date.now()}${userCount}`;
  const email = `analyst.${uniqueSuffix}@example.test`;
  const { fullName = "Zanele Mbatha", displayName = `Final Furlong ${uniqueSuffix}` } = options;
  await page.goto("/admin/tipsters/invite");
  await page.getByLabel("Full name").fill(fullName);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Display name").fill(displayName);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(
    page.getByText(`${displayName} is an analyst. We've emailed the invitation.`).first(),
  ).toBeVisible();
  const link = await waitForEmailLink(page, email, "/reset-password");
  await inAnotherBrowser(browser, async (analystPage) => {
    await analystPage.goto(link);
    await analystPage.getByLabel("New password", { exact: true }).fill(TEST_PASSWORD);
    await analystPage.getByRole("checkbox").check();
    await analystPage.getByRole("button", { name: "Save password" }).click();
    await expect(analystPage.getByRole("heading", { name: "Password saved" })).toBeVisible();
  });
  return { email, displayName };
}

/** Publishes race 7 of Scottsville for the day after tomorrow as an analyst. */
export async function publishTip(page: Page, email: string, horse: string): Promise<void> {
  await page.goto("/analyst");
  await page.getByLabel("Analyst Email").fill(email);
  await page.getByLabel("Access Code", { exact: true }).fill(TEST_PASSWORD);
  await page.getByRole("button", { name: "Access Tip Form" }).click();
  await expect(page).toHaveURL(/\/admin\/add-tip/);
  await page.getByLabel("Venue").selectOption({ label: "Scottsville" });
  await page.getByLabel("Race date").fill(daysFromToday(2));
  await page.getByLabel("Race", { exact: true }).selectOption("7");
  await page.getByLabel("Off time").fill("15:30");
  await page.getByLabel("Horse number").fill("9");
  await page.getByLabel("Horse name").fill(horse);
  await page.getByText("Win", { exact: true }).click();
  await page.getByText("High", { exact: true }).click();
  await page.getByLabel("Reasoning").fill("Drawn well, and the pace suits.");
  await page.getByRole("button", { name: "Add Racing Tip" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
  await expect(page).toHaveURL("/");
}

/** Returns an unused payment card number, because the guest deal is limited to one per card. */
function createCardNumber(): string {
  const digits = `42${Date.now()}`.slice(0, 15);
  const sum = [...digits].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** Returns the current code of a base32 key (RFC 6238), as an authenticator app does. */
export function computeCode(key: string): string {
  const bits = [...key.replaceAll(" ", "")]
    .map((letter) =>
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
    )
    .join("");
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(currentTime() / 30_000)));
  const digest = createHmac("sha1", bytes).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Invites an admin as the admin of the page, accepts as them in another browser, and runs the callback there. */
export async function asSecondAdmin<T>(
  page: Page,
  browser: Browser,
  callback: (page: Page) => Promise<T>,
): Promise<T> {
  const email = `second.admin.${Date.now()}@example.test`;
  await page.goto("/admin/admins");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Your password").fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(page.getByText(`We've emailed the invitation to ${email}.`).first()).toBeVisible();
  const link = await waitForEmailLink(page, email, "/admin-invitation");
  return await inAnotherBrowser(browser, async (invited) => {
    await invited.goto(link);
    await invited.getByLabel("Full Name").fill("Pieter Botha");
    await invited.getByLabel("Password", { exact: true }).fill(TEST_PASSWORD);
    await invited.getByRole("checkbox").check();
    await invited.getByRole("button", { name: "Create account and accept" }).click();
    await invited.getByRole("link", { name: "Set up" }).click();
    await invited.getByLabel("Your password").fill(TEST_PASSWORD);
    await invited.getByRole("button", { name: "Show key" }).click();
    const key = (await invited.locator("code").textContent()) ?? "";
    await invited.getByLabel("Code shown in your app").fill(computeCode(key));
    await invited.getByRole("button", { name: "Turn on" }).click();
    await expect(invited.getByText("Two-step login is on.")).toBeVisible();
    return await callback(invited);
  });
}
