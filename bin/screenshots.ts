import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import sharp from "sharp";
import { findChromium } from "./chromium.ts";

// Takes screenshots of the main pages of a running demo:
// node bin/furlong.mjs screenshots URL [FOLDER]
// With `--readme`, takes the six screenshots of docs/screenshots instead.

const [origin = "http://localhost:3000", folder = ".cache/screenshots"] = process.argv
  .slice(2)
  .filter((word) => !word.startsWith("--"));
const WIDTHS = [360, 768, 1280];
const THEMES = ["light", "dark"] as const;
const README = "docs/screenshots";

type Screen = { name: string; path: string; as?: string };

const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  if (process.argv.includes("--readme")) await makeReadmePictures();
  else for (const width of WIDTHS) for (const theme of THEMES) await walk(width, theme);
} finally {
  await browser.close();
}

async function screens(): Promise<Screen[]> {
  const { raceCards } = await (await fetch(`${origin}/api/race-cards`)).json();
  const locked = raceCards[0].id;
  return [
    { name: "home", path: "/" },
    { name: "card", path: `/race-cards/${locked}` },
    { name: "guest-purchase", path: `/unlock/${locked}` },
    { name: "login", path: "/login" },
    { name: "register", path: "/login?mode=register" },
    { name: "tipster-door", path: "/tipster-auth" },
    { name: "tracks", path: "/racing-tracks" },
    { name: "track", path: "/tracks/kenilworth" },
    { name: "leaderboard", path: "/leaderboard" },
    { name: "top-analysts", path: "/top-analysts" },
    { name: "how-it-works", path: "/how-it-works" },
    { name: "help", path: "/help" },
    { name: "contact", path: "/contact" },
    { name: "terms", path: "/terms" },
    { name: "offline", path: "/offline" },
    { name: "nowhere", path: "/nowhere" },
    { name: "user-home", path: "/", as: "punter" },
    { name: "my-cards", path: "/my-cards", as: "punter" },
    { name: "my-cards-empty", path: "/my-cards", as: "new.punter" },
    { name: "buy-coins", path: "/buy-coins", as: "punter" },
    { name: "profile", path: "/profile", as: "punter" },
    { name: "dashboard", path: "/tipster-dashboard", as: "tipster" },
    { name: "add-tips", path: "/tipster-dashboard/add", as: "tipster" },
    { name: "earnings", path: "/tipster-dashboard/earnings", as: "tipster" },
    { name: "admin-tips", path: "/admin", as: "admin" },
    { name: "admin-sales", path: "/admin/sales", as: "admin" },
    { name: "admin-tipsters", path: "/admin/tipsters", as: "admin" },
    { name: "admin-payouts", path: "/admin/payouts", as: "admin" },
    { name: "admin-attention", path: "/admin/attention", as: "admin" },
    { name: "admin-venues", path: "/admin/venues", as: "admin" },
  ];
}

async function walk(width: number, theme: (typeof THEMES)[number]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const pages = new Map<string, Page>();
  for (const { name, path, as = "guest" } of await screens()) {
    const page = pages.get(as) ?? (await open(browser, width, theme, as));
    pages.set(as, page);
    await show(page, path);
    const shot = await page.screenshot({ fullPage: true, animations: "disabled" });
    const file = join(folder, `${name}-${width}-${theme}.png`);
    await sharp(shot).png({ palette: true, colours: 64 }).toFile(file);
  }
  for (const page of pages.values()) await page.context().close();
}

async function open(from: Browser, width: number, theme: "light" | "dark", as: string) {
  const context = await from.newContext({
    viewport: { width, height: width < 500 ? 780 : 900 },
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-ZA",
    timezoneId: "Africa/Johannesburg",
    serviceWorkers: "block",
    baseURL: origin,
  });
  const page = await context.newPage();
  if (as !== "guest") {
    const data = { email: `${as}@furlong.test`, password: "furlong-demo" };
    const answer = await page.request.post("/api/sign-in", { data, headers: { Origin: origin } });
    if (!answer.ok()) throw new Error(`${as} cannot sign in: ${answer.status()}`);
  }
  return page;
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState("load");
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

/** Unlocks a race card for the signed-in user, because the page My Cards is empty without one. */
async function openOne(page: Page, all: Screen[]): Promise<void> {
  const card = all.find(({ name }) => name === "card")?.path;
  await page.request.post(`/api${card}/unlock`, { headers: { Origin: origin } });
}

/** Takes the screenshots of the README, compressed for slow mobile connections. */
async function makeReadmePictures(): Promise<void> {
  mkdirSync(README, { recursive: true });
  const wanted = [
    { name: "home", width: 1280, theme: "light" },
    { name: "home", width: 360, theme: "dark" },
    { name: "my-cards", width: 360, theme: "light" },
    { name: "leaderboard", width: 768, theme: "light" },
    { name: "earnings", width: 768, theme: "dark" },
    { name: "admin-sales", width: 1280, theme: "light" },
  ] as const;
  const all = await screens();
  for (const { name, width, theme } of wanted) {
    const screen = all.find((each) => each.name === (name === "home" ? "user-home" : name));
    if (!screen) throw new Error(`No screen is called ${name}.`);
    const page = await open(browser, width, theme, screen.as ?? "guest");
    if (name === "my-cards") await openOne(page, all);
    await show(page, screen.path);
    const shot = await page.screenshot({ animations: "disabled" });
    const { size } = await sharp(shot)
      .webp({ quality: 68, effort: 6 })
      .toFile(join(README, `${name}-${width}-${theme}.webp`));
    console.log(`${name}-${width}-${theme}.webp ${Math.round(size / 1000)} kB`);
    await page.context().close();
  }
}
