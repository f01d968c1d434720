import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./test.ts";
import { cardOnSale, confirmAddress, elsewhere, newReader, OWN_PASSWORD, signIn } from "./users.ts";

// User journeys by keyboard. Every step reaches its control, found by name, with the Tab key.

test.use({ expectedComplaints: [/status of (401|403|422)/] });

const MOST_STEPS = 220;

/** Presses Tab until the control has focus, and checks that each focus is visible. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return { isShown: true, name: "the page" };
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(focused);
      const isOutlined = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
      return {
        // Cross-origin frames and fields in a highlighted row show focus differently.
        isShown: isOutlined || boxShadow !== "none" || focused.matches("iframe"),
        name: focused.outerHTML.slice(0, 120),
      };
    });
    expect(focus.isShown, `the focus shows on ${focus.name}`).toBe(true);
    if (await target.evaluate((element) => element === document.activeElement)) {
      await expect(target, "what has the focus is in sight").toBeInViewport();
      return;
    }
  }
  throw new Error(`the tab key does not lead to ${target}`);
}

/** Focuses a control and presses Enter. */
async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Focuses a field and types. */
async function write(page: Page, target: Locator, words: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(words);
}

const banner = (page: Page) => page.getByRole("banner");

test("a user signs in, unlocks a race card, buys coins and signs out", async ({
  page,
  browser,
}) => {
  const { email } = await elsewhere(browser, async (own) => {
    const reader = await newReader(own);
    await confirmAddress(own, reader.email);
    return reader;
  });
  await page.goto("/");
  const login = banner(page).getByRole("link", { name: "Login" });
  await press(page, login);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(login, "the focus comes back to where the dialog was opened").toBeFocused();
  await page.keyboard.press("Enter");
  await write(page, dialog.getByLabel("Email"), email);
  await write(page, dialog.getByRole("textbox", { name: "Password" }), OWN_PASSWORD);
  await page.keyboard.press("Enter");
  await expect(banner(page).getByText("4 coins").first()).toBeVisible();

  const { id } = await cardOnSale(page);
  await page.goto(`/race-cards/${id}`);
  await press(page, page.getByRole("main").getByRole("button", { name: "Open race card" }));
  await expect(page.getByText("Unlocked", { exact: true })).toBeVisible();
  await expect(banner(page).getByText("0 coins").first()).toBeVisible();

  await page.goto("/");
  await press(page, banner(page).getByRole("link", { name: "Buy Coins" }).first());
  await press(page, dialog.getByRole("button").filter({ hasText: "R40" }).first());
  await page.waitForURL(/\/demo\/checkout\//);
  await press(page, page.getByRole("button", { name: /^Pay R/ }));
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  await page.goto("/");
  await expect(banner(page).getByText("4 coins").first()).toBeVisible();
  await press(page, banner(page).getByRole("button", { name: "Logout" }));
  await expect(page.getByRole("heading", { name: "You have been logged out" })).toBeVisible();
});

test("an admin approves an application", async ({ page, browser }) => {
  const mark = `${Date.now()}`;
  const displayName = `Rail Runner ${mark}`;
  await elsewhere(browser, async (own) => {
    await own.goto("/tipster-auth?mode=apply");
    await write(own, own.getByLabel("Email"), `rail.${mark}@example.test`);
    await write(own, own.getByLabel("Full Name"), "Sizwe Ntuli");
    await write(own, own.getByLabel("Display Name"), displayName);
    await press(own, own.getByRole("button", { name: "Submit Application" }));
    await expect(own.getByText("Application Submitted!").first()).toBeVisible();
  });
  await page.goto("/admin");
  await write(page, page.getByLabel("Email"), "admin@furlong.test");
  await write(page, page.getByRole("textbox", { name: "Password" }), "furlong-demo");
  await page.keyboard.press("Enter");
  const main = page.getByRole("main");
  await press(page, main.getByRole("link", { name: /^Tipsters/ }).first());
  await press(page, main.getByRole("link", { name: "Applications" }));
  await press(page, main.getByRole("link", { name: displayName }));
  await press(page, main.getByRole("button", { name: "Approve" }));
  await expect(page.getByText("Approved. We've emailed them the link.")).toBeVisible();
});

test("a form error is linked to its field, announced and focused", async ({ page }) => {
  for (const [path, button, label] of [
    ["/login", "Log In", "Email"],
    ["/login?mode=register", "Create Account", "Full Name"],
    ["/forgot-password", /Send|Reset/, "Email"],
    ["/tipster-auth?mode=apply", "Submit Application", "Email"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("main").getByRole("button", { name: button }).last().click();
    const field = page.getByRole("main").getByLabel(label).first();
    await expect(field, path).toHaveAttribute("aria-invalid", "true");
    await expect(field, path).toBeFocused();
    await expect(field, path).toHaveAccessibleDescription(/\S/);
  }
});

const PUBLIC = [
  "/",
  "/login",
  "/login?mode=register",
  "/forgot-password",
  "/tipster-auth",
  "/tipster-auth?mode=apply",
  "/analyst",
  "/racing-tracks",
  "/tracks/kenilworth",
  "/top-analysts",
  "/leaderboard",
  "/how-it-works",
  "/help",
  "/contact",
  "/terms",
  "/terms-of-service",
  "/privacy",
  "/cookies",
  "/responsible-gambling",
  "/disclaimer",
  "/offline",
  "/nowhere",
];
const PRIVATE = [
  ["punter@furlong.test", ["/", "/my-cards", "/profile", "/profile/password", "/buy-coins"]],
  [
    "tipster@furlong.test",
    [
      "/tipster-dashboard",
      "/tipster-dashboard/add",
      "/tipster-dashboard/earnings",
      "/tipster-dashboard/bank-details",
      "/tipster-dashboard/profile",
    ],
  ],
  [
    "admin@furlong.test",
    [
      "/admin",
      "/admin/venues",
      "/admin/sales",
      "/admin/tipsters",
      "/admin/payouts",
      "/admin/users",
      "/admin/attention",
      "/admin/audit",
    ],
  ],
] as const;

/** Returns standalone controls with a touch target below 44 by 44 pixels. */
async function smallTargets(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const isHit = (element: Element, x: number, y: number) => {
      const hit = document.elementFromPoint(x, y);
      return (
        hit !== null && (element.contains(hit) || hit.contains(element) || labelled(hit, element))
      );
    };
    const labelled = (hit: Element, element: Element) =>
      hit.closest("label")?.control === element || hit.closest("label")?.contains(element) === true;
    const small: string[] = [];
    const controls = document.querySelectorAll(
      "main button, main .button, body > header a, header.sticky :is(a, summary)",
    );
    for (const control of controls) {
      if (!control.checkVisibility()) continue;
      control.scrollIntoView({ block: "center" });
      const { left, top, width, height } = control.getBoundingClientRect();
      if (width === 0) continue;
      const [x, y] = [left + width / 2, top + height / 2];
      const reach = (dx: number, dy: number) => isHit(control, x + dx, y + dy);
      const isWide = width >= 43.5 || (reach(-21, 0) && reach(21, 0));
      const isTall = height >= 43.5 || (reach(0, -21) && reach(0, 21));
      if (!isWide || !isTall)
        small.push(`${Math.round(width)}×${Math.round(height)} ${control.outerHTML.slice(0, 90)}`);
    }
    return small;
  });
}

test.describe("at 320 pixels, the width of a large screen at 400 % zoom", () => {
  test.use({
    viewport: { width: 320, height: 640 },
    expectedComplaints: [/status of (401|403|404)/],
  });

  test("no public page scrolls horizontally, and touch targets are large enough", async ({
    page,
  }) => {
    const { id } = await cardOnSale(page);
    for (const path of [...PUBLIC, `/race-cards/${id}`, `/unlock/${id}`])
      await expectRoom(page, path);
  });

  for (const [email, paths] of PRIVATE)
    test(`pages of ${email.split("@")[0]} do not scroll horizontally and have large touch targets`, async ({
      page,
    }) => {
      await signIn(page, email);
      for (const path of paths) await expectRoom(page, path);
    });
});

async function expectRoom(page: Page, path: string): Promise<void> {
  await page.goto(path);
  const excess = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(excess, `${path} at 320`).toBeLessThanOrEqual(0);
  expect.soft(await smallTargets(page), `${path}: small targets`).toEqual([]);
}

test.describe("at 200 % zoom on a small laptop", () => {
  test.use({ viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 });

  test("pages do not scroll horizontally, and the header stays below 90 pixels", async ({
    page,
  }) => {
    const { id } = await cardOnSale(page);
    await signIn(page, "punter@furlong.test");
    for (const path of ["/", `/race-cards/${id}`, "/profile", "/leaderboard", "/buy-coins"]) {
      await page.goto(path);
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect.soft(excess, path).toBeLessThanOrEqual(0);
      const header = await banner(page).boundingBox();
      expect.soft(header?.height ?? 0, `${path}: room beside the bar`).toBeLessThan(90);
    }
  });
});
