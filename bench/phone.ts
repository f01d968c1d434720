import { connect, createServer } from "node:net";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { findChromium } from "#bin/chromium.ts";
import type { Sale } from "#test/bench-data.ts";
import { LIST_PATH } from "#ui/list-path.ts";

/** How much slower than this machine's processor the phone's is. */
const CPU_SLOWDOWN = 4;
const ROUNDS = 3;
/** After this time without bytes a visit is complete. */
const QUIET_MS = 1_500;

const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };

type Options = {
  origin: string;
  /** The session cookies of the demo's accounts. */
  cookies: Record<"punter" | "tipster" | "admin", string>;
  next: () => Sale;
};

/** The durations of a page's interactions in milliseconds, each with the name of its step. */
export type PageInteractions = { page: string; interactions: { step: string; ms: number }[] };

/** The bytes of a page over the wire, its HTML uncompressed. */
export type PageBytes = { page: string; html: number; firstVisit: number; secondVisit: number };

type Step = (name: string, interact: () => Promise<void>) => Promise<void>;
type Visit = {
  page: string;
  path: string;
  cookie?: string;
  tap(page: Page, step: Step): Promise<void>;
};

/** Uses pages as on a phone and measures each interaction from its input to the next paint (INP). */
export async function measureInteractions(options: Options): Promise<PageInteractions[]> {
  const browser = await launch();
  const rows: PageInteractions[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, visit] of (await listVisits(options)).entries()) {
      const row = rows[index] ?? { page: visit.page, interactions: [] };
      rows[index] = row;
      row.interactions.push(...(await measureVisit(browser, options.origin, visit)));
    }
  await browser.close();
  return rows;
}

async function listVisits({ origin, cookies, next }: Options): Promise<Visit[]> {
  const { buyer, raceCardId } = next();
  const { raceCards } = await (await fetch(`${origin}/api/race-cards`)).json();
  const lockedPath = `/race-cards/${raceCards[0].id}`;
  const { punter, tipster, admin } = cookies;
  const meetingPath = await findMeetingWithoutResult(origin, admin);
  return [
    { page: "home, a guest", path: "/", tap: tapHome },
    { page: "home, a user", path: LIST_PATH, cookie: punter, tap: tapHome },
    { page: "locked card, a guest", path: lockedPath, tap: tapLockedCard },
    {
      page: "locked card, a user",
      path: `/race-cards/${raceCardId}`,
      cookie: buyer.cookie,
      tap: openCard,
    },
    {
      page: "opened card, a user",
      path: `/race-cards/${raceCardId}`,
      cookie: buyer.cookie,
      tap: tapOpenedCard,
    },
    {
      page: "batch form, a tipster",
      path: "/tipster-dashboard/add",
      cookie: tipster,
      tap: fillBatch,
    },
    { page: "result entry, an admin", path: meetingPath, cookie: admin, tap: fillResult },
  ];
}

/** Returns the path of the page on which an admin enters the results of a meeting. */
async function findMeetingWithoutResult(origin: string, cookie: string): Promise<string> {
  const read = async (path: string) =>
    await (await fetch(`${origin}${path}`, { headers: { cookie } })).text();
  const list = await read("/admin/results");
  for (const [, path = ""] of list.matchAll(/href="(\/admin\/results\/[^/"]+\/[^/"]+)"/g))
    if ((await read(path)).includes("Finishing order</label>")) return path;
  throw new Error("Every race of the demo has a result.");
}

async function measureVisit(
  browser: Browser,
  origin: string,
  visit: Visit,
): Promise<PageInteractions["interactions"]> {
  const context = await openContext(browser, origin, visit.cookie);
  const interactions = new Map<string, { step: string; ms: number }>();
  let currentStep = "";
  await context.exposeFunction("reportInteraction", (id: string, ms: number) => {
    const known = interactions.get(id);
    if (!known) interactions.set(id, { step: currentStep, ms });
    else known.ms = Math.max(known.ms, ms);
  });
  await context.addInitScript(reportInteractions);
  const page = await context.newPage();
  await page.goto(visit.path);
  await page.waitForTimeout(QUIET_MS);
  const cdp = await context.newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  await visit.tap(page, async (name, interact) => {
    currentStep = name;
    await interact();
    // Entries are reported after the paint, when the main thread is idle.
    await page.waitForTimeout(400);
  });
  await context.close();
  return [...interactions.values()];
}

declare const reportInteraction: (id: string, ms: number) => void;

/** Runs in the page. */
function reportInteractions(): void {
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries() as PerformanceEventTiming[])
      if (interactionId) reportInteraction(`${performance.timeOrigin} ${interactionId}`, duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

async function tapHome(page: Page, step: Step): Promise<void> {
  const chips = page.locator("summary.chip");
  const menu = page.locator("details[open] > .chip-list a:visible");
  await step("track menu", () => chips.nth(-2).tap());
  await step("choose a track", () => menu.nth(1).tap());
  await step("sort menu", () => chips.last().tap());
  await step("choose a sort", () => menu.nth(1).tap());
  await step("menu", () => page.getByRole("banner").getByLabel("Menu").first().tap());
  await step("close the menu", () => page.keyboard.press("Escape"));
  const slide = page.getByRole("button", { name: "Next slide" });
  if (await slide.isVisible()) await step("next slide", () => slide.tap());
  await step("open a card", () => page.locator(".card-row .cover-link").first().tap());
  await page.waitForURL(/race-cards/);
}

async function tapLockedCard(page: Page, step: Step): Promise<void> {
  await openTipster(page, step);
  await step("gold button", () => page.locator("main a[href*='/unlock/']").first().tap());
  await step("name", () =>
    page.getByLabel("Name", { exact: false }).first().pressSequentially("Nandi"),
  );
  await step("show password", () => page.getByRole("button", { name: "Show password" }).tap());
  await step("agree", () => page.getByRole("checkbox").first().tap());
}

async function openTipster(page: Page, step: Step): Promise<void> {
  await step("tipster", () => page.locator("main a[href^='/tipsters/']").first().tap());
  await page.waitForURL(/tipsters/);
  await page.goBack();
  await page.waitForURL(/race-cards/);
}

async function openCard(page: Page, step: Step): Promise<void> {
  await step("gold button", () =>
    page
      .getByRole("button", { name: /Open race card|4 coins/ })
      .first()
      .tap(),
  );
  await page.getByText("Unlocked", { exact: true }).waitFor();
}

async function tapOpenedCard(page: Page, step: Step): Promise<void> {
  for (const race of await page.locator("main summary:visible").all())
    await step("expand a race", () => race.tap());
  await openTipster(page, step);
  await step("menu", () => page.getByRole("banner").getByLabel("Menu").first().tap());
}

async function fillBatch(page: Page, step: Step): Promise<void> {
  await page.getByLabel("Venue").focus();
  await step("choose a venue", () => page.keyboard.press("ArrowDown"));
  for (let race = 2; race <= 12; race += 1)
    await step("add a race", () => page.getByRole("button", { name: "Add race" }).tap());
  await step("horse name", () =>
    page.locator("[name='races.11.horseName']").pressSequentially("Dust Devil"),
  );
  await step("tip type", () => page.locator("[data-race='11'] label", { hasText: "Place" }).tap());
  await step("confidence", () => page.locator("[data-race='11'] label", { hasText: "High" }).tap());
  await step("analysis", () => page.locator("textarea").last().pressSequentially("Well drawn"));
  await page.locator("[name='races.11.raceNumber']").focus();
  await step("choose a race", () => page.keyboard.press("ArrowUp"));
  await step("publish with errors", () => page.getByRole("button", { name: /^Publish/ }).tap());
  await step("remove a race", () => page.getByRole("button", { name: "Remove race" }).last().tap());
}

async function fillResult(page: Page, step: Step): Promise<void> {
  const order = page.getByLabel("Finishing order");
  const race = page.getByRole("group").filter({ has: order }).first();
  await race.getByLabel("Status").focus();
  await step("choose the status", () => page.keyboard.press("o"));
  await step("enter", () => page.keyboard.press("Enter"));
  await step("finishing order", () => page.keyboard.type("4 1 7 2"));
  await step("enter", () => page.keyboard.press("Enter"));
  for (let field = 1; field <= 3; field += 1) {
    await step("price or dividend", () => page.keyboard.type("6.40"));
    await step("enter", () => page.keyboard.press("Enter"));
  }
  await step("unfold the rest", () => race.locator("summary").last().tap());
  await step("off", () => race.getByLabel("Off", { exact: true }).pressSequentially("1410"));
}

/** Visits pages twice in a new browser and counts what the server sends, service worker included. */
export async function measureBytes({ origin, cookies }: Options): Promise<PageBytes[]> {
  const { raceCards } = await (await fetch(`${origin}/api/race-cards`)).json();
  const browser = await launch();
  const proxy = await startCountingProxy(Number(new URL(origin).port));
  const rows: PageBytes[] = [];
  for (const [name, path] of [
    ["home", "/"],
    ["card", `/race-cards/${raceCards[0].id}`],
  ] as const)
    for (const [viewer, cookie] of [
      ["a guest", undefined],
      ["a user", cookies.punter],
    ] as const) {
      const context = await openContext(browser, proxy.origin, cookie);
      const visit = async () => {
        const before = proxy.countBytes();
        const page = await context.newPage();
        const response = await page.goto(name === "home" && cookie ? LIST_PATH : path);
        const html = (await response?.body())?.length ?? 0;
        await proxy.waitUntilQuiet();
        await page.close();
        return { html, bytes: proxy.countBytes() - before };
      };
      const first = await visit();
      const second = await visit();
      rows.push({
        page: `${name}, ${viewer}`,
        html: first.html,
        firstVisit: first.bytes,
        secondVisit: second.bytes,
      });
      await context.close();
    }
  await browser.close();
  proxy.close();
  return rows;
}

/** Starts a proxy that counts the bytes from the server. */
async function startCountingProxy(port: number) {
  let bytes = 0;
  let lastByteAt = 0;
  const proxy = createServer((browserSocket) => {
    const serverSocket = connect(port, "127.0.0.1");
    serverSocket.on("data", (part) => {
      bytes += part.byteLength;
      lastByteAt = performance.now();
    });
    browserSocket.pipe(serverSocket).pipe(browserSocket);
    for (const socket of [browserSocket, serverSocket])
      socket.on("error", () => {
        browserSocket.destroy();
        serverSocket.destroy();
      });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  return {
    origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    countBytes: () => bytes,
    async waitUntilQuiet() {
      do await new Promise((resolve) => setTimeout(resolve, 100));
      while (performance.now() - lastByteAt < QUIET_MS);
    },
    close: () => proxy.close(),
  };
}

async function launch(): Promise<Browser> {
  return await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
}

async function openContext(
  browser: Browser,
  origin: string,
  cookie?: string,
): Promise<BrowserContext> {
  const context = await browser.newContext({ ...PHONE, baseURL: origin });
  context.setDefaultTimeout(15_000);
  const [name = "", value = ""] = cookie?.split("=", 2) ?? [];
  if (cookie) await context.addCookies([{ name, value, url: origin }]);
  return context;
}
