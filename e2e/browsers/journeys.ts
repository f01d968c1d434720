import { addDays, dateAt } from "#domain/calendar.ts";
import { eventually, type Visitor } from "./visitor.ts";

/** The URLs of the journeys, and functions to cut and restore the connection. */
export type Site = { url: string; disconnect(): Promise<void>; reconnect(): Promise<void> };

type ListedCard = { id: string; racesRun: number; opened: boolean };

const PASSWORD = "a long shot";
let guests = 0;

const button = (name: string) =>
  `//button[contains(normalize-space(.), "${name}")] | //a[contains(normalize-space(.), "${name}")]`;
const dialogButton = (name: string) =>
  `//*[@role="dialog" or @role="alertdialog"]//button[contains(normalize-space(.), "${name}")]`;

function sees(visitor: Visitor, text: string): Promise<void> {
  return eventually(`“${text}” in ${visitor.name}`, async () =>
    (await visitor.evaluate<string>("return document.body.innerText"))
      .toLowerCase() // styles may transform it to capitals
      .includes(text.toLowerCase()),
  );
}

/** Opens a page and waits for hydration. */
async function go(visitor: Visitor, site: Site, path: string): Promise<void> {
  await visitor.open(site.url + path);
  await eventually(`the scripts of ${path}`, () =>
    visitor.evaluate<boolean>(
      `return Object.keys(document.body).some((key) => key.startsWith("__reactProps"))`,
    ),
  );
}

/** Returns two race cards that need no confirmation before unlocking. */
async function cardsOnSale(site: Site): Promise<[ListedCard, ListedCard]> {
  const answer = await fetch(`${site.url}/api/race-cards`);
  const { raceCards } = (await answer.json()) as { raceCards: ListedCard[] };
  const [first, second] = raceCards.filter(({ racesRun }) => racesRun === 0);
  if (!first || !second) throw new Error("no two cards are on sale");
  return [first, second];
}

/** Returns an unused payment card number: welcome coins are granted once per payment card. */
function freshPaymentCard(): string {
  const digits = `42${Date.now()}`.slice(0, 15);
  const sum = [...digits].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

async function pay(visitor: Visitor): Promise<void> {
  await eventually("the payment page", async () =>
    (await visitor.url()).includes("/demo/checkout/"),
  );
  await visitor.type("input[name=cardNumber]", freshPaymentCard());
  await visitor.press(button("Pay R"));
  await sees(visitor, "Payment Successful");
}

/** A guest pays for a race card, buys coins in the dialog and unlocks a second race card. */
export async function buyAndOpen(visitor: Visitor, site: Site): Promise<void> {
  const [first, second] = await cardsOnSale(site);
  guests += 1;
  await go(visitor, site, `/unlock/${first.id}`);
  await visitor.type("input[name=name]", "Sizwe Ndlovu");
  await visitor.type("input[name=email]", `visitor.${Date.now()}.${guests}@example.test`);
  await visitor.type("input[name=password]", PASSWORD);
  await visitor.press("//input[@name='agreed']");
  await visitor.press(button("Pay R40 and open race card"));
  await pay(visitor);

  await go(visitor, site, "/");
  await visitor.press(`//header${button("Buy Coins").split(" | ")[1]}`);
  await visitor.press(dialogButton("Jet Master"));
  await pay(visitor);
  await go(visitor, site, "/");
  await sees(visitor, "16 coins");

  await go(visitor, site, `/race-cards/${second.id}`);
  await visitor.press(button("Open race card"));
  await sees(visitor, "12 coins");
  await go(visitor, site, "/my-cards");
  await eventually("two opened cards", () =>
    visitor.evaluate<boolean>(
      `return new Set([...document.querySelectorAll("main a[href^='/race-cards/']")].map((link) => link.href)).size >= 2`,
    ),
  );
}

/** A signed-in user reads an unlocked race card offline and logs out offline. */
export async function readOffline(visitor: Visitor, site: Site): Promise<void> {
  await go(visitor, site, "/my-cards");
  const path = await visitor.evaluate<string>(
    `return document.querySelector("main a[href^='/race-cards/']").getAttribute("href")`,
  );
  await go(visitor, site, path);
  await eventually("the service worker", () =>
    visitor.evaluate<boolean>("return navigator.serviceWorker.controller !== null"),
  );
  // The service worker caches pages that it serves.
  await go(visitor, site, path);
  await eventually("the card's copy", () => hasCopy(visitor, path));
  await site.disconnect();
  await visitor.open(site.url + path).catch(() => {});
  await sees(visitor, "Saved copy from");
  await sees(visitor, "Unlocked");

  await visitor.press("//header//summary | //header//button[contains(., 'Logout')]");
  await sees(visitor, "You are logged out here");
  await site.reconnect();
  await eventually("the end of the session", async () => {
    await visitor.open(`${site.url}/my-cards`);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const isPending = await visitor.evaluate<boolean>("return localStorage.length > 0");
    return !isPending && (await visitor.url()).includes("/login");
  });
}

/** Polls for the result, because WebDriver scripts return before promises resolve. */
async function hasCopy(visitor: Visitor, path: string): Promise<boolean> {
  await visitor.evaluate(
    `caches.match(${JSON.stringify(path)}, { cacheName: "copies" }).then((copy) => { window.seenCopy = copy !== undefined; })`,
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  return await visitor.evaluate<boolean>("return window.seenCopy === true");
}

/** Sets a select or date field directly, because its pop-up is not part of the page. */
async function choose(visitor: Visitor, css: string, value: string): Promise<void> {
  await visitor.evaluate(
    `const field = document.querySelector(${JSON.stringify(css)});
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, ${JSON.stringify(value)});
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));`,
  );
}

/** Each browser uses its own venue, because a tipster has one tip per race. */
const venues = ["Scottsville", "Fairview", "Vaal", "Greyville"];

/** The demo's tipster logs in and publishes a tip for the day after tomorrow. */
export async function publish(visitor: Visitor, site: Site): Promise<void> {
  await go(visitor, site, "/tipster-auth");
  await visitor.type("input[name=email]", "tipster@furlong.test");
  await visitor.type("input[name=password]", "furlong-demo");
  await visitor.press("//main//form//button[@type='submit']");
  await eventually("the dashboard", async () => (await visitor.url()).includes("/tipster-dash"));
  await go(visitor, site, "/tipster-dashboard/add");
  await choose(visitor, "input[name=raceDate]", addDays(dateAt(new Date()), 2));
  const venue = await visitor.evaluate<string>(
    `return [...document.querySelectorAll("select[name=venueId] option")].find(({ label }) => label === "${venues.shift()}").value`,
  );
  await choose(visitor, "select[name=venueId]", venue);
  await visitor.type("input[name$=horseNumber]", "4");
  await visitor.type("input[name$=horseName]", "Paddock Whisper");
  await visitor.press("//label[normalize-space(.)='Win']");
  await visitor.press("//label[normalize-space(.)='High']");
  await visitor.type("textarea[name$=analysis]", "Drawn well, and the pace suits.");
  await visitor.press(button("Publish tip"));
  await visitor.press(dialogButton("Publish"));
  await sees(visitor, "1 race published");
}

/** The slides follow the theme, even if the browser does not pass it to images. */
export async function darkPictures(visitor: Visitor, site: Site): Promise<void> {
  await go(visitor, site, "/");
  await eventually("the dark theme", () =>
    visitor.evaluate<boolean>(`return matchMedia("(prefers-color-scheme: dark)").matches`),
  );
  await eventually("a dark picture", () =>
    visitor.evaluate<boolean>(
      `return document.querySelector("picture img").currentSrc.endsWith("#dark")`,
    ),
  );
}
