import { expect, type Page } from "@playwright/test";

const DEMO_PASSWORD = "furlong-demo";
export const OWN_PASSWORD = "a long shot";
let people = 0;

/** Signs in as one of the demo's people, by the JSON API. */
export async function signIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  const answer = await page.request.post("/api/sign-in", { data: { email, password } });
  expect(answer.status()).toBe(200);
}

export type CardOnSale = { id: string; venue: string; tipster: string; raceCount: number };

/** A race card on sale of which no race is over, and that this viewer has not opened. */
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

/** Someone of a journey's own: a guest who has paid for a card, and is signed in with 4 coins. */
export async function newReader(
  page: Page,
): Promise<{ name: string; email: string; opened: CardOnSale }> {
  people += 1;
  const name = "Nandi Khumalo";
  const email = `nandi.${Date.now()}.${people}@example.test`;
  const opened = await cardOnSale(page);
  await page.goto(`/unlock/${opened.id}`);
  await page.getByLabel("Full Name").fill(name);
  await page.getByLabel("Email").fill(email);
  await page.locator("input[name=password]").fill(OWN_PASSWORD);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Pay R40 and open the card" }).click();
  await page.waitForURL(/\/demo\/checkout\//);
  await page.getByLabel("Card number").fill(freshPaymentCard());
  await page.getByRole("button", { name: /^Pay R/ }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  return { name, email, opened };
}

/** Confirms the address of somebody by the mail they were sent, so that they can sign in elsewhere. */
export async function confirmAddress(page: Page, email: string): Promise<void> {
  let link: string | undefined;
  await expect(async () => {
    const mails: { to: string; text: string }[] = await (
      await page.request.get("/demo/mail.json")
    ).json();
    const texts = mails.filter(({ to }) => to === email).map(({ text }) => text);
    link = /https?:\/\/[^/\s]+(\/auth-callback\S+)/.exec(texts.join("\n"))?.[1];
    expect(link).toBeTruthy();
  }).toPass();
  await page.goto(link ?? "");
  const confirm = page.getByRole("button", { name: "Confirm Email" });
  const done = page.getByText("Email confirmed successfully! Welcome to Furlong!");
  await expect(confirm.or(done).first()).toBeVisible();
  if (await confirm.isVisible()) await confirm.click();
  await expect(done).toBeVisible();
}

/** Welcome coins come once for each payment card, so everybody pays with another. */
function freshPaymentCard(): string {
  const digits = `42${Date.now()}`.slice(0, 15);
  const sum = [...digits].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
