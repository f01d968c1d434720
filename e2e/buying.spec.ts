import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { expect, test } from "./test.ts";

const DEMO_PASSWORD = "furlong-demo";
const PAID = "4242 4242 4242 4242";
const DECLINED = "4000 0000 0000 0002";
let guests = 0;

async function signIn(page: Page, email: string): Promise<void> {
  const answer = await page.request.post("/api/sign-in", {
    data: { email, password: DEMO_PASSWORD },
  });
  expect(answer.status()).toBe(200);
}

async function coins(page: Page): Promise<number> {
  return (await (await page.request.get("/api/me")).json()).user.coins;
}

/** Returns the path of a race card with `races` races that this viewer can unlock. */
async function cardOnSale(
  page: Page,
  isWanted: (card: ListedCard) => boolean,
): Promise<ListedCard> {
  let cursor = "";
  for (;;) {
    const answer = await (await page.request.get(`/api/race-cards?cursor=${cursor}`)).json();
    const card = answer.raceCards.find((each: ListedCard) => !each.opened && isWanted(each));
    if (card) return card;
    if (!answer.next) throw new Error("no such card is on sale");
    cursor = answer.next;
  }
}

type ListedCard = { id: string; opened: boolean; racesRun: number; tips: { raceNumber: number }[] };

async function pay(page: Page, cardNumber: string): Promise<void> {
  await page.getByLabel("Card number").fill(cardNumber);
  await page.getByRole("button", { name: /^Pay R/ }).click();
}

/** Returns an unused payment card number: welcome coins are granted once per payment card. */
function freshCard(): string {
  const digits = `42${Date.now()}`.slice(0, 15);
  const sum = [...digits].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const dialog = (page: Page): Locator => page.getByRole("dialog");

async function receiptOf(page: Page, email: string) {
  return await expect(async () => {
    const mails: { to: string; subject: string }[] = await (
      await page.request.get("/demo/mail.json")
    ).json();
    expect(mails.some((mail) => mail.to === email && /receipt/i.test(mail.subject))).toBe(true);
  }).toPass();
}

/** Creates a punter by a guest purchase: signed in, with 4 coins and one race card. */
async function buyAsGuest(page: Page, card: ListedCard): Promise<string> {
  guests += 1;
  const email = `guest.${Date.now()}.${guests}@example.test`;
  await page.goto(`/unlock/${card.id}`);
  await page.getByLabel("Full Name").fill("Sizwe Ndlovu");
  await page.getByLabel("Email").fill(email);
  await page.locator("input[name=password]").fill("a long shot");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Pay R40 and open race card" }).click();
  await page.waitForURL(/\/demo\/checkout\//);
  await pay(page, freshCard());
  return email;
}

test("a user buys coins, unlocks a race card of eight races for 4 coins, and finds it in another browser", async ({
  page,
  browser,
}) => {
  // The demo has few race cards of eight races, and each user can unlock one only once.
  const isOldest = test.info().project.name === "oldest-chromium";
  const email = isOldest ? "applicant@furlong.test" : "punter@furlong.test";
  await signIn(page, email);
  const before = await coins(page);
  await page.goto("/");
  await expectAccessible(page);
  await page.getByRole("banner").getByRole("link", { name: "Buy Coins" }).first().click();
  await expect(dialog(page)).toBeVisible();
  await expectAccessible(page);
  await dialog(page)
    .getByRole("button", { name: /Jet Master/ })
    .click();
  await page.waitForURL(/\/demo\/checkout\//);
  await expectAccessible(page);
  await pay(page, PAID);
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  await page.getByRole("button", { name: "Stay here" }).click();
  await expectAccessible(page);
  expect(await coins(page)).toBe(before + 12);
  await receiptOf(page, email);

  const card = await cardOnSale(page, ({ tips }) => tips.length === 8);
  await page.goto(`/race-cards/${card.id}`);
  await page.getByRole("button", { name: "Open race card" }).click();
  if (card.racesRun > 0)
    await page.getByRole("alertdialog").getByRole("button", { name: "Open race card" }).click();
  await expect(page.getByText("8 races available")).toBeVisible();
  await expect(page.getByText("Unlocked")).toBeVisible();
  expect(await coins(page)).toBe(before + 8);
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByText("Unlocked")).toBeVisible();

  const elsewhere = await (await browser.newContext()).newPage();
  await signIn(elsewhere, email);
  await elsewhere.goto("/my-cards");
  const { tips } = await (await elsewhere.request.post(`/api/race-cards/${card.id}/unlock`)).json();
  expect(tips).toHaveLength(8);
  await expect(elsewhere.getByText(tips[0].horseName).first()).toBeVisible();
  await expectAccessible(elsewhere);
  await elsewhere.context().close();
  expect(await coins(page)).toBe(before + 8);
});

test("a guest pays for one race card and returns signed in, with the race card unlocked and 4 coins", async ({
  page,
}) => {
  const card = await cardOnSale(page, ({ racesRun }) => racesRun === 0);
  await page.goto(`/race-cards/${card.id}`);
  await page.getByRole("link", { name: "Open race card" }).click();
  await expect(dialog(page).getByRole("heading", { name: "Login Required" })).toBeVisible();
  await expectAccessible(page);
  const email = await buyAsGuest(page, card);
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  await expectAccessible(page);
  expect(await coins(page)).toBe(4);
  await page.goto("/my-cards");
  await expect(page.getByRole("heading", { level: 2 })).toHaveCount(1);
  await receiptOf(page, email);
});

test.describe("an incomplete payment", () => {
  test("can be retried after a decline, and cancelled without coins", async ({ page }) => {
    await signIn(page, "new.punter@furlong.test");
    await page.goto("/buy-coins");
    await expectAccessible(page);
    await page.getByRole("button", { name: /Horse Chestnut/ }).click();
    await page.waitForURL(/\/demo\/checkout\//);
    const session = /\/demo\/checkout\/([^/?]+)/.exec(page.url())?.[1];
    await pay(page, DECLINED);
    await expect(page.getByText(/declined/i).first()).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Back without paying" }).click();
    await expect(page.getByText("Payment cancelled. You have not been charged.")).toBeVisible();
    // The message is shown and removed from the URL.
    await expect(page).toHaveURL(/\/buy-coins$/);
    await expect(page.getByText("Payment cancelled. You have not been charged.")).toBeVisible();
    expect(await coins(page)).toBe(0);

    await page.goto(`/success?session_id=${session}`);
    await expect(page.getByRole("heading", { name: "You haven't paid yet" })).toBeVisible();
    await expectAccessible(page);
    await page.goto("/success?session_id=cs_invented");
    await expect(page.getByRole("heading", { name: "Payment Successful" })).toHaveCount(0);
    expect(await coins(page)).toBe(0);
    await page.goto("/success");
    await expect(page).toHaveURL("/");
  });
});

test("a delayed payment is credited when it arrives", async ({ page }) => {
  const card = await cardOnSale(page, ({ racesRun }) => racesRun === 0);
  await buyAsGuest(page, card);
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  const before = await coins(page);
  await page.goto("/buy-coins");
  await page.getByRole("button", { name: /Sea Cottage/ }).click();
  await page.waitForURL(/\/demo\/checkout\//);
  const checkout = page.url();
  await page.getByRole("button", { name: "Place order, pay later" }).click();
  await expect(page.getByRole("heading", { name: "Your payment is pending" })).toBeVisible();
  await expectAccessible(page);
  expect(await coins(page)).toBe(before);
  await page.goto(checkout);
  await page.getByRole("button", { name: "Complete payment" }).click();
  await expect.poll(() => coins(page)).toBe(before + 8);
});

test("two tabs share the balance and the sign-out", async ({ page, context }) => {
  await buyAsGuest(page, await cardOnSale(page, ({ racesRun }) => racesRun === 0));
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  await page.goto("/");
  const other = await context.newPage();
  await other.goto("/");
  await expect(other.getByRole("banner").getByText("4 coins").first()).toBeVisible();
  const card = await cardOnSale(page, ({ racesRun }) => racesRun === 0);
  await page.goto(`/race-cards/${card.id}`);
  await page.getByRole("button", { name: "Open race card" }).click();
  await expect(page.getByText("Unlocked")).toBeVisible();
  await expect(other.getByRole("banner").getByText("0 coins").first()).toBeVisible();
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  await expect(other.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();
});

test.describe("without coins", () => {
  test.use({ expectedComplaints: [/status of 402/] });

  test("unlocking a race card shows a message and a button to buy coins", async ({ page }) => {
    await signIn(page, "new.punter@furlong.test");
    const card = await cardOnSale(page, ({ racesRun }) => racesRun === 0);
    await page.goto(`/race-cards/${card.id}`);
    await page.getByRole("button", { name: "Open race card" }).click();
    const prompt = page.getByRole("alertdialog", { name: "Insufficient Coins" });
    await expect(prompt).toBeVisible();
    await expectAccessible(page);
    await prompt.getByRole("button", { name: "Buy Coins" }).click();
    await expect(dialog(page).getByRole("button", { name: /Horse Chestnut/ })).toBeVisible();
    expect(await coins(page)).toBe(0);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test("home shows race cards without horizontal scrolling, and one can be unlocked", async ({
    page,
  }) => {
    const card = await cardOnSale(page, ({ racesRun }) => racesRun === 0);
    await buyAsGuest(page, card);
    await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
    await page.goto("/");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
    await expectAccessible(page);
  });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a user signs in, buys coins and unlocks a race card", async ({ page }) => {
    await page.goto("/login?return=buy-coins");
    await page.getByLabel("Email").fill("punter@furlong.test");
    await page.locator("input[name=password]").fill(DEMO_PASSWORD);
    await page.getByRole("button", { name: "Log In" }).click();
    await expect(page).toHaveURL("/buy-coins");
    await page.getByRole("button", { name: /Horse Chestnut/ }).click();
    await pay(page, PAID);
    await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
    const card = await cardOnSale(page, ({ racesRun, tips }) => racesRun === 0 && tips.length > 1);
    await page.goto(`/race-cards/${card.id}`);
    await page.getByRole("button", { name: "Open race card" }).click();
    await expect(page.getByText("Unlocked")).toBeVisible();
  });
});
