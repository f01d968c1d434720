import { createHmac, randomInt, randomUUID } from "node:crypto";
import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { LIST_PATH } from "#ui/list-path.ts";
import { currentTime, daysFromToday } from "./clock.ts";

export const DEMO_PASSWORD = "furlong-demo";
export const TEST_PASSWORD = "a long shot";

/** Returns twelve random digits, which make a name or an email address unique across tests, workers and retries. */
export function createUniqueNumber(): string {
  return String(randomInt(10 ** 12)).padStart(12, "0");
}

/** Signs in as a demo account with the JSON API. */
export async function signIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  const response = await page.request.post("/api/sign-in", { data: { email, password } });
  expect(response.status()).toBe(200);
}

export type ListedRaceCard = { id: string; venue: string; tipster: string; raceCount: number };

/**
 * Returns a matching race card that has no finished races and that this viewer has not unlocked. Of those for today and
 * tomorrow it returns the one whose first off is latest, so that no race is run during the test. Later ones may belong
 * to other tests, so they are the last resort.
 */
export async function findUnopenedRaceCard(
  page: Page,
  matches: (raceCard: ListedRaceCard) => boolean = () => true,
): Promise<ListedRaceCard> {
  let latest: ListedRaceCard | undefined;
  let cursor = "";
  do {
    const { raceCards, next } = await (
      await page.request.get(`/api/race-cards?cursor=${cursor}`)
    ).json();
    for (const { id, venue, tipster, tips, opened, racesRun, date } of raceCards) {
      const raceCard = { id, venue, tipster, raceCount: tips.length };
      if (opened || racesRun > 0 || !matches(raceCard)) continue;
      if (!latest || date <= daysFromToday(1)) latest = raceCard;
    }
    cursor = next;
  } while (cursor);
  if (!latest) throw new Error("No unopened race card matches.");
  return latest;
}

/**
 * Opens the home page and returns its last locked race card, whose next off is latest. Some of its races may have been
 * run.
 */
export async function findLockedRaceCardOnHome(
  page: Page,
): Promise<{ id: string; venue: string; panel: Locator }> {
  await page.goto(LIST_PATH);
  const panel = page
    .getByRole("article")
    .filter({
      has: page
        .getByRole("link", { name: "Open race card" })
        .or(page.getByRole("button", { name: "Open race card" })),
    })
    .filter({ has: page.locator('a[href^="/race-cards/"]') })
    .last();
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

/**
 * Buys a race card as a guest, which signs in a new user with 4 coins. Submits the forms without opening their pages,
 * as a browser without JavaScript does. buying.spec.ts tests the pages.
 */
export async function createBuyer(
  page: Page,
  {
    name = "Nandi Khumalo",
    opens,
  }: { name?: string; opens?: (raceCard: ListedRaceCard) => boolean } = {},
): Promise<{ name: string; email: string; opened: ListedRaceCard }> {
  const email = `nandi.${createUniqueNumber()}@example.test`;
  const opened = await findUnopenedRaceCard(page, opens);
  const checkoutUrl = await submitFromNewAddress(page, `/unlock/${opened.id}`, {
    name,
    email,
    password: TEST_PASSWORD,
    agreed: "on",
    idempotencyKey: randomUUID(),
  });
  const landing = await page.request.post(`${checkoutUrl}/pay`, {
    form: { cardNumber: createCardNumber() },
  });
  await expect(async () => {
    const response = await page.request.get(landing.url());
    expect(await response.text()).toContain("Payment Successful");
  }).toPass();
  return { name, email, opened };
}

/**
 * Submits a form as a guest, keeps the cookies of the response and returns the URL to which it redirects. On Linux the
 * request has a client address of its own, because the server limits what guests send by address.
 */
async function submitFromNewAddress(
  page: Page,
  path: string,
  fields: Record<string, string>,
): Promise<string> {
  const url = new URL(path, test.info().project.use.baseURL);
  const body = new URLSearchParams(fields).toString();
  const outgoing = (url.protocol === "https:" ? https : http).request(url, {
    method: "POST",
    family: 4,
    ...(process.platform === "linux" ? { localAddress: createLoopbackAddress() } : {}),
    headers: {
      origin: url.origin,
      "content-type": "application/x-www-form-urlencoded",
      "content-length": body.length,
    },
  });
  outgoing.end(body);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  response.resume();
  expect(response.statusCode, `status of ${path}`).toBe(303);
  const cookies = (response.headers["set-cookie"] ?? []).map((line) => {
    const pair = line.split(";")[0] ?? "";
    const equals = pair.indexOf("=");
    return { name: pair.slice(0, equals), value: pair.slice(equals + 1), url: url.origin };
  });
  await page.context().addCookies(cookies);
  return new URL(response.headers.location ?? "", url).href;
}

/** Returns a random address of the loopback network 127.0.0.0/8. */
function createLoopbackAddress(): string {
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
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

/** Confirms a user's email address with the emailed link. accounts.spec.ts tests its page. */
export async function confirmEmail(page: Page, email: string): Promise<void> {
  const response = await page.request.post("/auth-callback", {
    form: { token: readToken(await waitForEmailLink(page, email, "/auth-callback")) },
  });
  expect(response.status()).toBe(200);
}

/** Sets the password of a creator with the emailed link, and agrees to the terms. */
async function setFirstPassword(page: Page, email: string): Promise<void> {
  const token = readToken(await waitForEmailLink(page, email, "/reset-password"));
  const response = await page.request.post("/reset-password", {
    form: { token, password: TEST_PASSWORD, agreed: "on" },
  });
  expect(await response.text()).toContain("Password saved");
}

const readToken = (link: string) =>
  new URL(link, "http://localhost").searchParams.get("token") ?? "";

/** Creates an analyst, who has a tipster's dashboard too: invites one as an admin and sets the password. */
export async function createAnalyst(
  browser: Browser,
  options: { fullName?: string; displayName?: string } = {},
): Promise<{ email: string; displayName: string }> {
  const uniqueNumber = createUniqueNumber();
  const email = `analyst.${uniqueNumber}@example.test`;
  const { fullName = "Zanele Mbatha", displayName = `Final Furlong ${uniqueNumber}` } = options;
  await inAnotherBrowser(browser, async (admin) => {
    await signIn(admin, "admin@furlong.test");
    const response = await admin.request.post("/admin/tipsters/invite", {
      form: { name: fullName, email, displayName },
    });
    expect(await response.text()).toContain(`${displayName} is an analyst.`);
    await setFirstPassword(admin, email);
  });
  return { email, displayName };
}

/** Adds a venue as the admin of the page. Returns its name. */
export async function createVenue(page: Page, label = "Own"): Promise<string> {
  const name = `${label} Park ${createUniqueNumber()}`;
  const response = await page.request.post("/admin/venues/new", {
    form: { name, location: "Gauteng", totalRaces: "8", isActive: "on" },
  });
  expect(response.status()).toBe(200);
  return name;
}

/** Publishes race 7 of Scottsville for the day after tomorrow as an analyst. */
export async function publishTip(page: Page, email: string, horse: string): Promise<void> {
  await signIn(page, email, TEST_PASSWORD);
  await page.goto("/admin/add-tip");
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
  await expect(page.getByText("Racing tip added successfully!").first()).toBeVisible();
}

/** Returns an unused payment card number, because the guest deal is limited to one per card. */
export function createCardNumber(): string {
  const digits = `424${createUniqueNumber()}`;
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

/** Enters the code that the demo shows beside its field. */
export async function fillCode(page: Page): Promise<void> {
  const hint = await page.getByText("The demo shows the current code:").textContent();
  await page.getByLabel("Code from your app").fill(/\d{6}/.exec(hint ?? "")?.[0] ?? "");
}

/** Invites an admin as the admin of the page, accepts as them in another browser, and runs the callback there. */
export async function asSecondAdmin<T>(
  page: Page,
  browser: Browser,
  callback: (page: Page) => Promise<T>,
): Promise<T> {
  const email = `second.admin.${createUniqueNumber()}@example.test`;
  await page.goto("/admin/admins");
  await page.getByLabel("Email").fill(email);
  await fillCode(page);
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
