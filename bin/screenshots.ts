import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import sharp from "sharp";
import { LIST_PATH } from "#ui/list-path.ts";
import { findChromium } from "./chromium.ts";

// Takes screenshots of the main pages of a running demo:
// node bin/furlong.mjs screenshots URL [FOLDER]
// With `--readme`, takes the six screenshots of docs/screenshots instead.

const [origin = "http://localhost:3000", folder = ".cache/screenshots"] = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith("--"));
const WIDTHS = [360, 768, 1280];
const THEMES = ["light", "dark"] as const;
const README_FOLDER = "docs/screenshots";

type Screen = { name: string; path: string; account?: string };

const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  if (process.argv.includes("--readme")) await captureReadmeScreenshots();
  else for (const width of WIDTHS) for (const theme of THEMES) await captureAll(width, theme);
} finally {
  await browser.close();
}

async function listScreens(): Promise<Screen[]> {
  const { raceCards } = await (await fetch(`${origin}/api/race-cards`)).json();
  const raceCardId = raceCards[0].id;
  return [
    { name: "home", path: "/" },
    { name: "race-card", path: `/race-cards/${raceCardId}` },
    { name: "guest-purchase", path: `/unlock/${raceCardId}` },
    { name: "login", path: "/login" },
    { name: "register", path: "/login?mode=register" },
    { name: "tipster-login", path: "/tipster-auth" },
    { name: "tracks", path: "/racing-tracks" },
    { name: "track", path: "/tracks/kenilworth" },
    { name: "leaderboard", path: "/leaderboard" },
    { name: "top-analysts", path: "/top-analysts" },
    { name: "how-it-works", path: "/how-it-works" },
    { name: "rules", path: "/rules" },
    { name: "proof", path: "/proof" },
    { name: "help", path: "/help" },
    { name: "contact", path: "/contact" },
    { name: "terms", path: "/terms" },
    { name: "offline", path: "/offline" },
    { name: "not-found", path: "/nowhere" },
    { name: "user-home", path: "/", account: "punter" },
    { name: "user-list", path: LIST_PATH, account: "punter" },
    { name: "my-cards", path: "/my-cards", account: "punter" },
    { name: "my-cards-empty", path: "/my-cards", account: "new.punter" },
    { name: "buy-coins", path: "/buy-coins", account: "punter" },
    { name: "profile", path: "/profile", account: "punter" },
    { name: "dashboard", path: "/tipster-dashboard", account: "tipster" },
    { name: "add-tips", path: "/tipster-dashboard/add", account: "tipster" },
    { name: "earnings", path: "/tipster-dashboard/earnings", account: "tipster" },
    { name: "admin-today", path: "/admin", account: "admin" },
    { name: "admin-tips", path: "/admin/tips", account: "admin" },
    { name: "admin-purchases", path: "/admin/purchases", account: "admin" },
    { name: "admin-tipsters", path: "/admin/tipsters", account: "admin" },
    { name: "admin-payouts", path: "/admin/payouts", account: "admin" },
    { name: "admin-venues", path: "/admin/venues", account: "admin" },
  ];
}

async function captureAll(width: number, theme: (typeof THEMES)[number]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const pages = new Map<string, Page>();
  for (const { name, path, account = "guest" } of await listScreens()) {
    const page = pages.get(account) ?? (await openPage(browser, width, theme, account));
    pages.set(account, page);
    await loadPage(page, path);
    const image = await page.screenshot({ fullPage: true, animations: "disabled" });
    const file = join(folder, `${name}-${width}-${theme}.png`);
    await sharp(image).png({ palette: true, colours: 64 }).toFile(file);
  }
  for (const page of pages.values()) await page.context().close();
}

async function openPage(
  targetBrowser: Browser,
  width: number,
  theme: "light" | "dark",
  account: string,
) {
  const context = await targetBrowser.newContext({
    viewport: { width, height: width < 500 ? 780 : 900 },
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-ZA",
    timezoneId: "Africa/Johannesburg",
    serviceWorkers: "block",
    baseURL: origin,
  });
  const page = await context.newPage();
  if (account !== "guest") {
    const data = { email: `${account}@furlong.test`, password: "furlong-demo" };
    const response = await page.request.post("/api/sign-in", { data, headers: { Origin: origin } });
    if (!response.ok()) throw new Error(`${account} cannot sign in: ${response.status()}`);
  }
  return page;
}

async function loadPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState("load");
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

/** Unlocks a race card for the signed-in user, because the My Cards page is empty without one. */
async function unlockRaceCard(page: Page, screens: Screen[]): Promise<void> {
  const path = screens.find(({ name }) => name === "race-card")?.path;
  await page.request.post(`/api${path}/unlock`, { headers: { Origin: origin } });
}

/** Takes the screenshots of the README, compressed for slow mobile connections. */
async function captureReadmeScreenshots(): Promise<void> {
  mkdirSync(README_FOLDER, { recursive: true });
  const readmeScreens = [
    { name: "home", width: 1280, theme: "light" },
    { name: "home", width: 360, theme: "dark" },
    { name: "my-cards", width: 360, theme: "light" },
    { name: "leaderboard", width: 768, theme: "light" },
    { name: "earnings", width: 768, theme: "dark" },
    { name: "admin-purchases", width: 1280, theme: "light" },
  ] as const;
  const screens = await listScreens();
  for (const { name, width, theme } of readmeScreens) {
    const screen = screens.find(
      (candidate) => candidate.name === (name === "home" ? "user-home" : name),
    );
    if (!screen) throw new Error(`Unknown screen ${name}.`);
    const page = await openPage(browser, width, theme, screen.account ?? "guest");
    if (name === "my-cards") await unlockRaceCard(page, screens);
    await loadPage(page, screen.path);
    const image = await page.screenshot({ animations: "disabled" });
    const { size } = await sharp(image)
      .webp({ quality: 68, effort: 6 })
      .toFile(join(README_FOLDER, `${name}-${width}-${theme}.webp`));
    console.log(`${name}-${width}-${theme}.webp ${Math.round(size / 1000)} kB`);
    await page.context().close();
  }
}
