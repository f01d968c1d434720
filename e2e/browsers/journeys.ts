import { daysFromToday } from "../clock.ts";
import { type BrowserDriver, waitUntil } from "./browser-driver.ts";

/** The server under test, with functions to cut and restore the connection. */
export type Site = { url: string; disconnect(): Promise<void>; reconnect(): Promise<void> };

type ListedRaceCard = { id: string; racesRun: number; opened: boolean };

const PASSWORD = "a long shot";
let guestCount = 0;

const buttonXPath = (name: string) =>
  `//button[contains(normalize-space(.), "${name}")] | //a[contains(normalize-space(.), "${name}")]`;
const dialogButtonXPath = (name: string) =>
  `//*[@role="dialog" or @role="alertdialog"]//button[contains(normalize-space(.), "${name}")]`;

function waitForText(driver: BrowserDriver, text: string): Promise<void> {
  return waitUntil(`“${text}” in ${driver.name}`, async () =>
    (await driver.evaluate<string>("return document.body.innerText"))
      .toLowerCase() // styles may transform it to capitals
      .includes(text.toLowerCase()),
  );
}

/** Opens a page and waits for hydration. */
async function openPage(driver: BrowserDriver, site: Site, path: string): Promise<void> {
  await driver.open(site.url + path);
  await waitUntil(`the scripts of ${path}`, () =>
    driver.evaluate<boolean>(
      `return Object.keys(document.body).some((key) => key.startsWith("__reactProps"))`,
    ),
  );
}

/** Returns two race cards that need no confirmation before unlocking. */
async function findTwoRaceCards(site: Site): Promise<[ListedRaceCard, ListedRaceCard]> {
  const response = await fetch(`${site.url}/api/race-cards`);
  const { raceCards } = (await response.json()) as { raceCards: ListedRaceCard[] };
  const [first, second] = raceCards.filter(({ racesRun }) => racesRun === 0);
  if (!first || !second) throw new Error("Fewer than two race cards are on sale.");
  return [first, second];
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

async function pay(driver: BrowserDriver): Promise<void> {
  await waitUntil("the payment page", async () => (await driver.url()).includes("/demo/checkout/"));
  await driver.fill("input[name=cardNumber]", createCardNumber());
  await driver.click(buttonXPath("Pay R"));
  await waitForText(driver, "Payment Successful");
}

/** A guest pays for a race card, buys coins in the dialog and unlocks a second race card. */
export async function buyAndUnlock(driver: BrowserDriver, site: Site): Promise<void> {
  const [first, second] = await findTwoRaceCards(site);
  guestCount += 1;
  await openPage(driver, site, `/unlock/${first.id}`);
  await driver.fill("input[name=name]", "Sizwe Ndlovu");
  await driver.fill("input[name=email]", `buyer.${Date.now()}.${guestCount}@example.test`);
  await driver.fill("input[name=password]", PASSWORD);
  await driver.click("//input[@name='agreed']");
  await driver.click(buttonXPath("Pay R40 and open"));
  await pay(driver);

  await openPage(driver, site, "/");
  await driver.click(`//header${buttonXPath("Buy Coins").split(" | ")[1]}`);
  await driver.click(dialogButtonXPath("Jet Master"));
  await pay(driver);
  await openPage(driver, site, "/");
  await waitForText(driver, "16 coins");

  await openPage(driver, site, `/race-cards/${second.id}`);
  await driver.click(buttonXPath("Open race card"));
  await waitForText(driver, "12 coins");
  await openPage(driver, site, "/my-cards");
  await waitUntil("two unlocked race cards", () =>
    driver.evaluate<boolean>(
      `return new Set([...document.querySelectorAll("main a[href^='/race-cards/']")].map((link) => link.href)).size >= 2`,
    ),
  );
}

/** A signed-in user reads an unlocked race card offline and logs out offline. */
export async function readOffline(driver: BrowserDriver, site: Site): Promise<void> {
  await openPage(driver, site, "/my-cards");
  const path = await driver.evaluate<string>(
    `return document.querySelector("main a[href^='/race-cards/']").getAttribute("href")`,
  );
  await openPage(driver, site, path);
  await waitUntil("the service worker", () =>
    driver.evaluate<boolean>("return navigator.serviceWorker.controller !== null"),
  );
  // The service worker caches pages that it serves.
  await openPage(driver, site, path);
  await waitUntil("the offline copy of the race card", () => isCachedOffline(driver, path));
  await site.disconnect();
  await driver.open(site.url + path).catch(() => {});
  await waitForText(driver, "Saved copy from");
  await waitForText(driver, "Unlocked");

  await driver.click("//header//summary | //header//button[contains(., 'Logout')]");
  await waitForText(driver, "You are logged out here");
  await site.reconnect();
  await waitUntil("the end of the session", async () => {
    await driver.open(`${site.url}/my-cards`);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const isPending = await driver.evaluate<boolean>("return localStorage.length > 0");
    return !isPending && (await driver.url()).includes("/login");
  });
}

/** Polls for the result, because WebDriver scripts return before promises resolve. */
async function isCachedOffline(driver: BrowserDriver, path: string): Promise<boolean> {
  await driver.evaluate(
    `caches.match(${JSON.stringify(path)}, { cacheName: "copies" }).then((copy) => { window.isCached = copy !== undefined; })`,
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  return await driver.evaluate<boolean>("return window.isCached === true");
}

/** Sets a select or date field directly, because its pop-up is not part of the page. */
async function setFieldValue(driver: BrowserDriver, css: string, value: string): Promise<void> {
  await driver.evaluate(
    `const field = document.querySelector(${JSON.stringify(css)});
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, ${JSON.stringify(value)});
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));`,
  );
}

/** Each browser uses its own venue, because a tipster has one tip per race. */
const unusedVenues = ["Scottsville", "Fairview", "Vaal", "Greyville"];

/** The demo's tipster logs in and publishes a tip for the day after tomorrow. */
export async function publishTip(driver: BrowserDriver, site: Site): Promise<void> {
  await openPage(driver, site, "/tipster-auth");
  await driver.fill("input[name=email]", "tipster@furlong.test");
  await driver.fill("input[name=password]", "furlong-demo");
  await driver.click("//main//form//button[@type='submit']");
  await waitUntil("the dashboard", async () => (await driver.url()).includes("/tipster-dash"));
  await openPage(driver, site, "/tipster-dashboard/add");
  await setFieldValue(driver, "input[name=raceDate]", daysFromToday(2));
  const venue = await driver.evaluate<string>(
    `return [...document.querySelectorAll("select[name=venueId] option")].find(({ label }) => label === "${unusedVenues.shift()}").value`,
  );
  await setFieldValue(driver, "select[name=venueId]", venue);
  await driver.fill("input[name$=horseNumber]", "4");
  await driver.fill("input[name$=horseName]", "Paddock Whisper");
  await driver.click("//label[normalize-space(.)='Win']");
  await driver.click("//label[normalize-space(.)='High']");
  await driver.fill("textarea[name$=analysis]", "Drawn well, and the pace suits.");
  await driver.click(buttonXPath("Publish tip"));
  await driver.click(dialogButtonXPath("Publish"));
  await waitForText(driver, "1 race published");
}

/** The slides follow the theme, even if the browser does not pass it to images. */
export async function showDarkImages(driver: BrowserDriver, site: Site): Promise<void> {
  await openPage(driver, site, "/");
  await waitUntil("the dark theme", () =>
    driver.evaluate<boolean>(`return matchMedia("(prefers-color-scheme: dark)").matches`),
  );
  await waitUntil("a dark image", () =>
    driver.evaluate<boolean>(
      `return document.querySelector("picture img").currentSrc.endsWith("#dark")`,
    ),
  );
}
