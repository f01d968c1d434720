import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { currentTime } from "./clock.ts";
import { holdRedirects } from "./redirects.ts";
import { expect, test } from "./test.ts";
import {
  confirmEmail,
  createBuyer,
  createCardNumber,
  createUniqueNumber,
  findUnopenedRaceCard,
  inAnotherBrowser,
  type ListedRaceCard,
  signIn,
  TEST_PASSWORD,
} from "./users.ts";

const ACCEPTED_CARD_NUMBER = "4242 4242 4242 4242";
const DECLINED_CARD_NUMBER =
  process.env.PAYMENT_PROVIDER === "paystack" ? "4084 0800 0000 5408" : "4000 0000 0000 0002";

async function readCoins(page: Page): Promise<number> {
  return (await (await page.request.get("/api/me")).json()).user.coins;
}

async function pay(page: Page, cardNumber: string): Promise<void> {
  await page.getByLabel("Card number").fill(cardNumber);
  await page.getByRole("button", { name: /^Pay R/ }).click();
}

const hasEightRaces = ({ raceCount }: ListedRaceCard) => raceCount === 8;
const readLabel = ({ venue, tipster }: ListedRaceCard) => `Read ${venue} by ${tipster}`;
const openLabel = ({ venue, tipster }: ListedRaceCard) => `Open ${venue} by ${tipster}`;
const unlockedBadge = (page: Page) => page.getByText("Unlocked", { exact: true });
const insufficientCoins = (page: Page) => page.getByRole("dialog", { name: "Insufficient Coins" });
const dialog = (page: Page): Locator => page.getByRole("dialog");

/** Waits until this number of receipts has been emailed to the address. */
async function waitForReceipts(page: Page, email: string, count: number) {
  return await expect(async () => {
    const emails: { to: string; subject: string }[] = await (
      await page.request.get("/demo/mail.json")
    ).json();
    const receipts = emails.filter(({ to, subject }) => to === email && /receipt/i.test(subject));
    expect(receipts).toHaveLength(count);
  }).toPass();
}

/** Buys a race card as a guest, which signs in a new user with 4 coins. Returns the email address. */
async function buyAsGuest(page: Page, raceCard: ListedRaceCard): Promise<string> {
  const email = `guest.${createUniqueNumber()}@example.test`;
  await page.goto(`/unlock/${raceCard.id}`);
  await page.getByLabel("Full Name").fill("Sizwe Ndlovu");
  await page.getByLabel("Email").fill(email);
  await page.locator("input[name=password]").fill(TEST_PASSWORD);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Pay R40 and open" }).click();
  await page.waitForURL(/\/demo\/checkout\//);
  await pay(page, createCardNumber());
  return email;
}

test("a user buys coins, unlocks a race card of eight races for 4 coins, and finds it in another browser", async ({
  page,
  browser,
}) => {
  // Created in another browser, so that this one opens home for the first time.
  const email = await inAnotherBrowser(browser, async (buyerPage) => {
    const buyer = await createBuyer(buyerPage, { opens: (raceCard) => !hasEightRaces(raceCard) });
    await confirmEmail(buyerPage, buyer.email);
    return buyer.email;
  });
  await signIn(page, email, TEST_PASSWORD);
  const coinsBefore = await readCoins(page);
  const redirect = await holdRedirects(page);
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
  await pay(page, ACCEPTED_CARD_NUMBER);
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  await page.getByRole("button", { name: "Stay here" }).click();
  await redirect();
  await expectAccessible(page);
  expect(await readCoins(page)).toBe(coinsBefore + 12);
  await waitForReceipts(page, email, 2);

  const raceCard = await findUnopenedRaceCard(page, hasEightRaces);
  await page.goto(`/race-cards/${raceCard.id}`);
  await page.getByRole("button", { name: "Open race card" }).click();
  await expect(page.getByText("8 races available")).toBeVisible();
  await expect(unlockedBadge(page)).toBeVisible();
  expect(await readCoins(page)).toBe(coinsBefore + 8);
  await expectAccessible(page);
  await page.reload();
  await expect(unlockedBadge(page)).toBeVisible();

  const otherPage = await (await browser.newContext()).newPage();
  await signIn(otherPage, email, TEST_PASSWORD);
  await otherPage.goto("/my-cards");
  const { tips } = await (
    await otherPage.request.post(`/api/race-cards/${raceCard.id}/unlock`)
  ).json();
  expect(tips).toHaveLength(8);
  await expect(otherPage.getByText(tips[0].horseName).first()).toBeVisible();
  await expectAccessible(otherPage);
  await otherPage.context().close();
  expect(await readCoins(page)).toBe(coinsBefore + 8);
});

test("a guest pays for one race card and returns signed in, with the race card unlocked and 4 coins", {
  tag: "@day",
}, async ({ page }) => {
  const raceCard = await findUnopenedRaceCard(page);
  await page.goto(`/race-cards/${raceCard.id}`);
  await page.getByRole("link", { name: "Open race card" }).click();
  await expect(
    dialog(page).getByRole("heading", { name: `${raceCard.venue}, ${raceCard.tipster}` }),
  ).toBeVisible();
  await expect(dialog(page).getByText(/races? to come/)).toBeVisible();
  await expect(dialog(page).getByRole("link", { name: "I have an account" })).toBeVisible();
  await expectAccessible(page);
  const email = await buyAsGuest(page, raceCard);
  await expect(page.getByText("Payment Successful")).toBeVisible();
  await expect(page).toHaveURL(`/race-cards/${raceCard.id}`);
  await expect(unlockedBadge(page)).toBeVisible();
  await expectAccessible(page);
  expect(await readCoins(page)).toBe(4);
  await page.goto("/my-cards");
  await expect(page.getByRole("heading", { level: 2 })).toHaveCount(1);
  await waitForReceipts(page, email, 1);
});

test.describe("an incomplete payment", () => {
  test("can be retried after a decline, and credits no coins when cancelled", async ({ page }) => {
    await signIn(page, "new.punter@furlong.test");
    await page.goto("/buy-coins");
    await expectAccessible(page);
    await page.getByRole("button", { name: /Horse Chestnut/ }).click();
    await page.waitForURL(/\/demo\/checkout\//);
    const sessionId = /\/demo\/checkout\/([^/?]+)/.exec(page.url())?.[1];
    await pay(page, DECLINED_CARD_NUMBER);
    await expect(page.getByText(/declined/i).first()).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Back without paying" }).click();
    await expect(page.getByText("Payment cancelled. You have not been charged.")).toBeVisible();
    // The message is shown and removed from the URL.
    await expect(page).toHaveURL(/\/buy-coins$/);
    await expect(page.getByText("Payment cancelled. You have not been charged.")).toBeVisible();
    expect(await readCoins(page)).toBe(0);

    await page.goto(`/success?session_id=${sessionId}`);
    await expect(page.getByRole("heading", { name: "You haven't paid yet" })).toBeVisible();
    await expectAccessible(page);
    await page.goto("/success?session_id=cs_invented");
    await expect(page.getByRole("heading", { name: "Payment Successful" })).toHaveCount(0);
    expect(await readCoins(page)).toBe(0);
    await page.goto("/success");
    await expect(page).toHaveURL("/");
  });
});

test.describe("a payment page that does not open", () => {
  test.use({ expectedConsoleErrors: [/status of 422/] });
  const PAYMENT_PAGE = "**/demo/checkout/*";

  /** Answers requests for the payment page so that the browser stays where it is, as after Stop. */
  async function stayOnPage(page: Page): Promise<string[]> {
    const urls: string[] = [];
    await page.route(PAYMENT_PAGE, async (route) => {
      urls.push(route.request().url());
      await route.fulfill({ status: 204 });
    });
    return urls;
  }

  test("leaves a pack for sale after Back, and pressing it again opens the same payment page", async ({
    page,
  }) => {
    await createBuyer(page);
    const urls = await stayOnPage(page);
    await page.goto("/buy-coins");
    const button = page.locator("button[value=starter_4]");
    const otherButton = page.getByRole("button", { name: /Jet Master/ });
    await button.click();
    await expect.poll(() => urls).toHaveLength(1);
    await expect(button).toHaveAttribute("aria-busy", "true");
    await expect(otherButton).toBeDisabled();
    // A page that is shown for the first time says nothing about the payment page.
    for (const persisted of [false, true])
      await page.evaluate(
        (isPersisted) =>
          dispatchEvent(new PageTransitionEvent("pageshow", { persisted: isPersisted })),
        persisted,
      );
    await expect(button).not.toHaveAttribute("aria-busy");
    await expect(otherButton).toBeEnabled();
    await button.click();
    await expect.poll(() => urls).toHaveLength(2);
    await expect(button).toHaveAttribute("aria-busy", "true");
    expect(urls[1]).toBe(urls[0]);
  });

  test("lets a guest pay again after Stop, on the same payment page and also after a refusal", async ({
    page,
  }) => {
    const raceCard = await findUnopenedRaceCard(page);
    const urls = await stayOnPage(page);
    await page.clock.install({ time: currentTime() });
    await page.goto(`/unlock/${raceCard.id}`);
    await page.getByLabel("Full Name").fill("Sizwe Ndlovu");
    await page.getByLabel("Email").fill(`guest.${createUniqueNumber()}@example.test`);
    await page.locator("input[name=password]").fill(TEST_PASSWORD);
    const button = page.locator("form button[type=submit]").last();
    // The refusal gives the form another idempotency key, which it keeps.
    await button.click();
    const box = page.getByRole("checkbox");
    await expect(box).toHaveAttribute("aria-invalid", "true");
    await box.check();
    await button.click();
    await expect.poll(() => urls).toHaveLength(1);
    await expect(button).toHaveAttribute("aria-busy", "true");
    await page.clock.fastForward(10_000);
    await expect(button).not.toHaveAttribute("aria-busy");
    await button.click();
    await expect.poll(() => urls).toHaveLength(2);
    expect(urls[1]).toBe(urls[0]);
    await page.unroute(PAYMENT_PAGE);
    await page.clock.fastForward(10_000);
    await button.click();
    await page.waitForURL(urls[0] ?? "");
    await pay(page, createCardNumber());
    await expect(page.getByText("Payment Successful")).toBeVisible();
    expect(await readCoins(page)).toBe(4);
  });
});

test("a delayed payment is credited when it arrives", async ({ page }) => {
  await createBuyer(page);
  const coinsBefore = await readCoins(page);
  await page.goto("/buy-coins");
  await page.getByText("More coin packs").click();
  await page.getByRole("button", { name: /Sea Cottage/ }).click();
  await page.waitForURL(/\/demo\/checkout\//);
  const checkoutUrl = page.url();
  await page.getByRole("button", { name: "Place order, pay later" }).click();
  await expect(page.getByRole("heading", { name: "Your payment is pending" })).toBeVisible();
  await expectAccessible(page);
  expect(await readCoins(page)).toBe(coinsBefore);
  await page.goto(checkoutUrl);
  await page.getByRole("button", { name: "Complete payment" }).click();
  await expect.poll(() => readCoins(page)).toBe(coinsBefore + 8);
});

test("two tabs share the balance and the sign-out", async ({ page, context }) => {
  await createBuyer(page);
  await page.goto("/");
  const otherTab = await context.newPage();
  await otherTab.goto("/");
  await expect(otherTab.getByRole("banner").getByText("4 coins").first()).toBeVisible();
  const raceCard = await findUnopenedRaceCard(page);
  await page.goto(`/race-cards/${raceCard.id}`);
  await page.getByRole("button", { name: "Open race card" }).click();
  await expect(unlockedBadge(page)).toBeVisible();
  await expect(otherTab.getByRole("banner").getByText("0 coins").first()).toBeVisible();
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  await expect(otherTab.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();
});

test.describe("without coins", () => {
  test.use({ expectedConsoleErrors: [/status of 402/] });

  test("a locked race card leads to the missing coins and the two smallest packs that have them", async ({
    page,
  }) => {
    await signIn(page, "new.punter@furlong.test");
    const raceCard = await findUnopenedRaceCard(page);
    await page.goto(`/race-cards/${raceCard.id}`);
    await page.getByRole("link", { name: "Open race card" }).click();
    await expect(
      insufficientCoins(page).getByText("You have 0 coins and need 4 more."),
    ).toBeVisible();
    await expect(insufficientCoins(page).getByRole("button", { name: /^Buy for/ })).toHaveText([
      /R40: Horse Chestnut/,
      /R70: Sea Cottage/,
    ]);
    await expectAccessible(page);
    expect(await readCoins(page)).toBe(0);
  });

  test("coins bought for a race card lead to it with one button, also in another tab and after a delayed payment", async ({
    page,
    context,
  }) => {
    await createBuyer(page);
    const raceCard = await findUnopenedRaceCard(page);
    await page.goto(`/race-cards/${raceCard.id}`);
    const openButton = page.getByRole("button", { name: "Open race card" });
    await expect(openButton).toBeVisible();
    // Spends the coins without the page knowing it.
    const otherRaceCard = await findUnopenedRaceCard(page, ({ id }) => id !== raceCard.id);
    await page.request.post(`/api/race-cards/${otherRaceCard.id}/unlock`);
    await openButton.click();
    await insufficientCoins(page).getByText("More coin packs").click();
    await insufficientCoins(page)
      .getByRole("button", { name: /Jet Master/ })
      .click();
    await page.waitForURL(/\/demo\/checkout\//);
    const checkoutUrl = page.url();
    await page.getByRole("button", { name: "Place order, pay later" }).click();
    await expect(page.getByRole("heading", { name: "Your payment is pending" })).toBeVisible();
    await expect(page.getByText(`${raceCard.venue} by ${raceCard.tipster}`)).toBeVisible();
    const successUrl = page.url();
    const otherTab = await context.newPage();
    await otherTab.goto(checkoutUrl);
    await otherTab.getByRole("button", { name: "Complete payment" }).click();
    await expect.poll(() => readCoins(page)).toBe(12);

    await otherTab.goto(successUrl);
    const nextButton = otherTab.getByRole("button", { name: openLabel(raceCard) });
    await expect(nextButton).toBeVisible();
    await expect(otherTab.getByText("Taking you to Racing Tips")).toHaveCount(0);
    await expectAccessible(otherTab);
    await nextButton.dblclick();
    await expect(otherTab).toHaveURL(`/race-cards/${raceCard.id}`);
    await expect(unlockedBadge(otherTab)).toBeVisible();
    expect(await readCoins(page)).toBe(8);
    await page.goto(successUrl);
    await page.getByRole("link", { name: readLabel(raceCard) }).click();
    await expect(unlockedBadge(page)).toBeVisible();
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test("paying as a guest takes one screen of 640 pixels, in the dialog and on its page", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    const raceCard = await findUnopenedRaceCard(page);
    await page.goto(`/race-cards/${raceCard.id}`);
    await page.getByRole("link", { name: "Open race card" }).click();
    const payButton = page.getByRole("button", { name: "Pay R40 and open" });
    await expect(dialog(page).getByText(/races? to come/)).toBeVisible();
    await expect(payButton).toBeInViewport({ ratio: 1 });
    await page.goto(`/unlock/${raceCard.id}`);
    await expect(payButton).toBeInViewport({ ratio: 1 });
  });

  test("home shows race cards without horizontal scrolling, and one can be unlocked", {
    tag: "@day",
  }, async ({ page }) => {
    await createBuyer(page);
    await page.goto("/");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
    await expectAccessible(page);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a user signs in, buys coins and unlocks a race card", async ({ page, browser }) => {
    const email = await inAnotherBrowser(browser, async (buyerPage) => {
      const buyer = await createBuyer(buyerPage);
      await confirmEmail(buyerPage, buyer.email);
      return buyer.email;
    });
    await page.goto("/login?return=buy-coins");
    await page.getByLabel("Email").fill(email);
    await page.locator("input[name=password]").fill(TEST_PASSWORD);
    await page.getByRole("button", { name: "Log In" }).click();
    await expect(page).toHaveURL("/buy-coins");
    await page.getByRole("button", { name: /Horse Chestnut/ }).click();
    await pay(page, ACCEPTED_CARD_NUMBER);
    await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
    const raceCard = await findUnopenedRaceCard(page, ({ raceCount }) => raceCount > 1);
    await page.goto(`/race-cards/${raceCard.id}`);
    await page.getByRole("button", { name: "Open race card" }).click();
    await expect(unlockedBadge(page)).toBeVisible();
  });
});
