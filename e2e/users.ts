import { type Browser, expect, type Page } from "@playwright/test";
import { addDays, dateAt } from "#domain/calendar.ts";

const DEMO_PASSWORD = "furlong-demo";
export const OWN_PASSWORD = "a long shot";
let people = 0;

/** Signs in as a demo account with the JSON API. */
export async function signIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  const answer = await page.request.post("/api/sign-in", { data: { email, password } });
  expect(answer.status()).toBe(200);
}

export type CardOnSale = { id: string; venue: string; tipster: string; raceCount: number };

/** Returns a race card on sale without finished races that this viewer has not unlocked. */
export async function cardOnSale(
  page: Page,
  isWanted: (card: CardOnSale) => boolean = () => true,
): Promise<CardOnSale> {
  let cursor = "";
  for (;;) {
    const { raceCards, next } = await (
      await page.request.get(`/api/race-cards?cursor=${cursor}`)
    ).json();
    for (const { id, venue, tipster, tips, opened, racesRun } of raceCards) {
      const card = { id, venue, tipster, raceCount: tips.length };
      if (!opened && racesRun === 0 && isWanted(card)) return card;
    }
    if (!next) throw new Error("no such card is on sale");
    cursor = next;
  }
}

/** Creates a new user by a guest purchase: signed in, with one race card and 4 coins. */
export async function newReader(
  page: Page,
  name = "Nandi Khumalo",
): Promise<{ name: string; email: string; opened: CardOnSale }> {
  people += 1;
  const email = `nandi.${Date.now()}.${people}@example.test`;
  const opened = await cardOnSale(page);
  await page.goto(`/unlock/${opened.id}`);
  await page.getByLabel("Full Name").fill(name);
  await page.getByLabel("Email").fill(email);
  await page.locator("input[name=password]").fill(OWN_PASSWORD);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Pay R40 and open race card" }).click();
  await page.waitForURL(/\/demo\/checkout\//);
  await page.getByLabel("Card number").fill(freshPaymentCard());
  await page.getByRole("button", { name: /^Pay R/ }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  return { name, email, opened };
}

/** Runs steps in a separate browser context and closes it. */
export async function elsewhere<T>(browser: Browser, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ javaScriptEnabled: true });
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Waits for an email with a link of this kind and returns the newest. */
export async function linkFor(page: Page, email: string, path: string): Promise<string> {
  let link = "";
  await expect(async () => {
    const mails: { to: string; text: string }[] = await (
      await page.request.get("/demo/mail.json")
    ).json();
    const texts = mails.filter(({ to }) => to === email).map(({ text }) => text);
    link = new RegExp(`https?://[^/\\s]+(${path}\\S+)`).exec(texts.join("\n"))?.[1] ?? "";
    expect(link).not.toBe("");
  }).toPass();
  return link;
}

/** Confirms a user's email address with the emailed link. */
export async function confirmAddress(page: Page, email: string): Promise<void> {
  await page.goto(await linkFor(page, email, "/auth-callback"));
  const confirm = page.getByRole("button", { name: "Confirm Email" });
  const done = page.getByText("Email confirmed successfully! Welcome to Furlong!");
  await expect(confirm.or(done).first()).toBeVisible();
  if (await confirm.isVisible()) await confirm.click();
  await expect(done).toBeVisible();
}

/** Invites an analyst from an admin page; the analyst sets a password in a separate browser. */
export async function newAnalyst(
  page: Page,
  browser: Browser,
  given: { fullName?: string; displayName?: string } = {},
): Promise<{ email: string; displayName: string }> {
  people += 1;
  const mark = `${Date.now()}${people}`;
  const email = `analyst.${mark}@example.test`;
  const { fullName = "Zanele Mbatha", displayName = `Final Furlong ${mark}` } = given;
  await page.goto("/admin/tipsters/invite");
  await page.getByLabel("Full name").fill(fullName);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Display name").fill(displayName);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(
    page.getByText(`${displayName} is an analyst. We've emailed the invitation.`).first(),
  ).toBeVisible();
  const link = await linkFor(page, email, "/reset-password");
  await elsewhere(browser, async (own) => {
    await own.goto(link);
    await own.getByLabel("New password", { exact: true }).fill(OWN_PASSWORD);
    await own.getByRole("checkbox").check();
    await own.getByRole("button", { name: "Save password" }).click();
    await expect(own.getByRole("heading", { name: "Password saved" })).toBeVisible();
  });
  return { email, displayName };
}

/** Publishes race 7 of Scottsville for the day after tomorrow as an analyst. */
export async function publishTip(own: Page, email: string, horse: string): Promise<void> {
  await own.goto("/analyst");
  await own.getByLabel("Analyst Email").fill(email);
  await own.getByLabel("Access Code", { exact: true }).fill(OWN_PASSWORD);
  await own.getByRole("button", { name: "Access Tip Form" }).click();
  await expect(own).toHaveURL(/\/admin\/add-tip/);
  await own.getByLabel("Venue").selectOption({ label: "Scottsville" });
  await own.getByLabel("Race date").fill(addDays(dateAt(new Date()), 2));
  await own.getByLabel("Race", { exact: true }).selectOption("7");
  await own.getByLabel("Off time").fill("15:30");
  await own.getByLabel("Horse number").fill("9");
  await own.getByLabel("Horse name").fill(horse);
  await own.getByText("Win", { exact: true }).click();
  await own.getByText("High", { exact: true }).click();
  await own.getByLabel("Reasoning").fill("Drawn well, and the pace suits.");
  await own.getByRole("button", { name: "Add Racing Tip" }).click();
  await own.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
  await expect(own).toHaveURL("/");
}

/** Returns a new payment card number: welcome coins are granted once per payment card. */
function freshPaymentCard(): string {
  const digits = `42${Date.now()}`.slice(0, 15);
  const sum = [...digits].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
