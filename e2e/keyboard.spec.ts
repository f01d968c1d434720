import type { Locator, Page } from "@playwright/test";
import { LIST_PATH } from "#ui/list-path.ts";
import { expect, test } from "./test.ts";
import {
  confirmEmail,
  createBuyer,
  createUniqueNumber,
  findUnopenedRaceCard,
  inAnotherBrowser,
  signIn,
  TEST_PASSWORD,
} from "./users.ts";

// Tests user journeys by keyboard. Each step reaches its control with the Tab key.

test.use({ expectedConsoleErrors: [/status of (401|403|422)/] });

const MAX_TAB_PRESSES = 220;

/** Presses Tab until the control has focus, and checks that each focus is visible. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < MAX_TAB_PRESSES; presses += 1) {
    await page.keyboard.press("Tab");
    const focusState = await target.evaluate((element) => {
      const focused = document.activeElement;
      const isTarget = focused === element;
      if (!focused || focused === document.body)
        return { isTarget, isFocusVisible: true, name: "the page" };
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(focused);
      const isOutlined = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
      return {
        isTarget,
        // Cross-origin frames and fields in a highlighted row show focus differently.
        isFocusVisible: isOutlined || boxShadow !== "none" || focused.matches("iframe"),
        name: focused.outerHTML.slice(0, 120),
      };
    });
    expect(focusState.isFocusVisible, `focus is visible on ${focusState.name}`).toBe(true);
    if (focusState.isTarget) {
      await expect(target, "the focused element is in the viewport").toBeInViewport();
      return;
    }
  }
  throw new Error(`Tab does not reach ${target}.`);
}

/** Focuses a control and presses Enter. */
async function activate(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Focuses a field and types. */
async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

const header = (page: Page) => page.getByRole("banner");

test("a user signs in, unlocks a race card, buys coins and signs out", async ({
  page,
  browser,
}) => {
  const { email } = await inAnotherBrowser(browser, async (otherPage) => {
    const buyer = await createBuyer(otherPage);
    await confirmEmail(otherPage, buyer.email);
    return buyer;
  });
  await page.goto("/");
  const loginLink = header(page).getByRole("link", { name: "Login" });
  await activate(page, loginLink);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(loginLink, "focus returns to the link that opened the dialog").toBeFocused();
  await page.keyboard.press("Enter");
  await typeInto(page, dialog.getByLabel("Email"), email);
  await typeInto(page, dialog.getByRole("textbox", { name: "Password" }), TEST_PASSWORD);
  await page.keyboard.press("Enter");
  await expect(header(page).getByText("4 coins").first()).toBeVisible();

  const { id } = await findUnopenedRaceCard(page);
  await page.goto(`/race-cards/${id}`);
  await activate(page, page.getByRole("main").getByRole("button", { name: "Open race card" }));
  await expect(page.getByText("Unlocked", { exact: true })).toBeVisible();
  await expect(header(page).getByText("0 coins").first()).toBeVisible();

  await page.goto("/");
  await activate(page, header(page).getByRole("link", { name: "Buy Coins" }).first());
  await activate(page, dialog.getByRole("button").filter({ hasText: "R40" }).first());
  await page.waitForURL(/\/demo\/checkout\//);
  await activate(page, page.getByRole("button", { name: /^Pay R/ }));
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  await page.goto("/");
  await expect(header(page).getByText("4 coins").first()).toBeVisible();
  await activate(page, header(page).getByRole("button", { name: "Logout" }));
  await expect(page.getByRole("heading", { name: "You have been logged out" })).toBeVisible();
});

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "the search" : "the search without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("finds a track, a tipster and an answer", async ({ page }) => {
      const search = async (text: string) => {
        await page.goto("/racing-tracks");
        await activate(page, header(page).getByRole("link", { name: "Search" }).first());
        await expect(page.getByRole("heading", { name: "Search", level: 1 })).toBeVisible();
        await typeInto(page, page.getByRole("searchbox"), text);
        await page.keyboard.press("Enter");
      };
      const main = page.getByRole("main");
      await search("  turffontein ");
      await expect(page).toHaveURL(/\/search\?q=/);
      await expect(main.getByRole("status")).toHaveText(/^\d+ results? for “turffontein”$/);
      await activate(page, main.getByRole("link", { name: /^Turffontein/ }));
      await expect(page).toHaveURL("/tracks/turffontein");
      await search("cape doctor");
      await activate(page, main.getByRole("link", { name: /^Cape Doctor/ }));
      await expect(page).toHaveURL("/tipsters/cape-doctor");
      await search("nothing of this name");
      await expect(page.getByText("Nothing found for “nothing of this name”")).toBeVisible();
      await search("spam folder");
      await activate(page, main.getByRole("link", { name: /confirmation email/i }));
      await expect(page).toHaveURL(/\/help\?answer=confirmation-email/);
    });
  });

test("an admin approves an application", async ({ page, browser }) => {
  const uniqueNumber = createUniqueNumber();
  const displayName = `Rail Runner ${uniqueNumber}`;
  await inAnotherBrowser(browser, async (otherPage) => {
    await otherPage.goto("/tipster-auth?mode=apply");
    await typeInto(otherPage, otherPage.getByLabel("Email"), `rail.${uniqueNumber}@example.test`);
    await typeInto(otherPage, otherPage.getByLabel("Full Name"), "Sizwe Ntuli");
    await typeInto(otherPage, otherPage.getByLabel("Display Name"), displayName);
    await activate(otherPage, otherPage.getByRole("button", { name: "Submit Application" }));
    await expect(otherPage.getByText("Application Submitted!").first()).toBeVisible();
  });
  await page.goto("/admin");
  await typeInto(page, page.getByLabel("Email"), "admin@furlong.test");
  await typeInto(page, page.getByRole("textbox", { name: "Password" }), "furlong-demo");
  await page.keyboard.press("Enter");
  const main = page.getByRole("main");
  const sections = page.getByRole("navigation", { name: "Admin" });
  await activate(page, sections.getByRole("link", { name: /^Tipsters/ }));
  await activate(page, main.getByRole("link", { name: "Applications" }));
  await activate(page, main.getByRole("link", { name: displayName }));
  await activate(page, main.getByRole("button", { name: "Approve" }));
  await expect(page.getByText("Approved. We've emailed them the link.")).toBeVisible();
});

test("an admin finds a person and a meeting with Ctrl-K, on a phone in the menu", async ({
  page,
}) => {
  await signIn(page, "admin@furlong.test");
  await page.goto("/admin/venues");
  const search = async (text: string) => {
    await page.keyboard.press("Control+k");
    const box = page.getByRole("searchbox", { name: /^Find/ });
    await expect(box).toBeFocused();
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  };
  await search("punter@furlong.test");
  await expect(page).toHaveURL(/\/admin\/users\/[0-9a-f-]{36}$/);
  // The address changes before the page, which closes the menu of the page before it.
  await expect(page.getByRole("main")).toContainText("punter@furlong.test");
  await page.setViewportSize({ width: 360, height: 740 });
  await search("turffontein today");
  await expect(page).toHaveURL("/admin/search?search=turffontein+today");
  await expect(page.getByRole("main").getByRole("status")).toHaveText(
    /^\d+ results? for “turffontein today”$/,
  );
  await activate(
    page,
    page
      .getByRole("main")
      .getByRole("link", { name: /^Turffontein/ })
      .first(),
  );
  await expect(page).toHaveURL(/\/admin\/venues\/[0-9a-f-]{36}\/race-days\/\d{4}-\d{2}-\d{2}$/);
  await page.goBack();
  await expect(page.getByRole("searchbox", { name: /^Person/ })).toHaveValue("turffontein today");
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

test("a field's error goes when its value is changed, and comes back if it is sent wrong again", async ({
  page,
}) => {
  await page.goto("/login");
  const main = page.getByRole("main");
  const logIn = main.getByRole("button", { name: "Log In" }).last();
  const [email, password] = [main.getByLabel("Email"), main.getByLabel("Password").first()];
  for (const value of ["nobody", "nobody@"]) {
    await logIn.click();
    await expect(email).toHaveAttribute("aria-invalid", "true");
    await email.fill(value);
    await expect(email).not.toHaveAttribute("aria-invalid");
    await expect(email).toHaveAccessibleDescription("");
    await expect(password).toHaveAttribute("aria-invalid", "true");
  }
  await logIn.click();
  await expect(email).toHaveAttribute("aria-invalid", "true");
});

const PUBLIC_PATHS = [
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
  "/results",
  "/how-it-works",
  "/rules",
  "/proof",
  "/records",
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
const PATHS_BY_USER = [
  [
    "punter@furlong.test",
    [LIST_PATH, "/my-day", "/my-cards", "/profile", "/profile/password", "/buy-coins"],
  ],
  [
    "tipster@furlong.test",
    [
      "/tipster-dashboard",
      "/tipster-dashboard/tips",
      "/tipster-dashboard/results",
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
      "/admin/tips",
      "/admin/venues",
      "/admin/purchases",
      "/admin/tipsters",
      "/admin/payouts",
      "/admin/users",
      "/admin/audit",
      "/admin/search?search=turffontein+today",
    ],
  ],
] as const;

/** Returns standalone controls with a touch target below 44 by 44 pixels. */
async function findSmallTargets(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const isTarget = (element: Element, x: number, y: number) => {
      const hit = document.elementFromPoint(x, y);
      return (
        hit !== null && (element.contains(hit) || hit.contains(element) || isLabelOf(hit, element))
      );
    };
    const isLabelOf = (hit: Element, element: Element) =>
      hit.closest("label")?.control === element || hit.closest("label")?.contains(element) === true;
    const smallControls: string[] = [];
    const controls = document.querySelectorAll(
      "main button, main .button, body > header a, header.sticky :is(a, summary)",
    );
    for (const control of controls) {
      if (!control.checkVisibility()) continue;
      control.scrollIntoView({ block: "center" });
      const { left, top, width, height } = control.getBoundingClientRect();
      if (width === 0) continue;
      const [x, y] = [left + width / 2, top + height / 2];
      const isTargetAt = (dx: number, dy: number) => isTarget(control, x + dx, y + dy);
      const isWide = width >= 43.5 || (isTargetAt(-21, 0) && isTargetAt(21, 0));
      const isTall = height >= 43.5 || (isTargetAt(0, -21) && isTargetAt(0, 21));
      if (!isWide || !isTall)
        smallControls.push(
          `${Math.round(width)}×${Math.round(height)} ${control.outerHTML.slice(0, 90)}`,
        );
    }
    return smallControls;
  });
}

test.describe("at 320 pixels, the width of a large screen at 400 % zoom", () => {
  test.use({
    viewport: { width: 320, height: 640 },
    expectedConsoleErrors: [/status of (401|403|404)/],
  });

  test("no public page scrolls horizontally, and touch targets are large enough", async ({
    page,
  }) => {
    const { id } = await findUnopenedRaceCard(page);
    for (const path of [...PUBLIC_PATHS, `/race-cards/${id}`, `/unlock/${id}`])
      await expectUsableLayout(page, path);
  });

  for (const [email, paths] of PATHS_BY_USER)
    test(`pages of ${email.split("@")[0]} do not scroll horizontally and have large touch targets`, async ({
      page,
    }) => {
      await signIn(page, email);
      for (const path of paths) await expectUsableLayout(page, path);
    });
});

async function expectUsableLayout(page: Page, path: string): Promise<void> {
  await page.goto(path);
  const overflowWidth = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(overflowWidth, `${path} at 320`).toBeLessThanOrEqual(0);
  expect.soft(await findSmallTargets(page), `${path}: small touch targets`).toEqual([]);
}

test.describe("at 200 % zoom on a small laptop", () => {
  test.use({ viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 });

  test("pages do not scroll horizontally, and the header stays below 90 pixels", async ({
    page,
  }) => {
    const { id } = await findUnopenedRaceCard(page);
    await signIn(page, "punter@furlong.test");
    for (const path of ["/", `/race-cards/${id}`, "/profile", "/leaderboard", "/buy-coins"]) {
      await page.goto(path);
      const overflowWidth = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect.soft(overflowWidth, path).toBeLessThanOrEqual(0);
      const boundingBox = await header(page).boundingBox();
      expect.soft(boundingBox?.height ?? 0, `${path}: header height`).toBeLessThan(90);
    }
  });
});
