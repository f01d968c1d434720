import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { expect, test } from "./test.ts";
import {
  createBuyer,
  createUniqueNumber,
  findLockedRaceCardOnHome,
  findUnopenedRaceCard,
  signIn,
  TEST_PASSWORD,
} from "./users.ts";

// Regression tests for fixed bugs.

const dialog = (page: Page) => page.getByRole("dialog");
const header = (page: Page) => page.getByRole("banner");

test.describe("the account dialog", () => {
  test.use({ expectedConsoleErrors: [/status of 401/] });

  test("shows why a login failed, and opens from a locked race card", async ({ page }) => {
    const raceCard = await findLockedRaceCardOnHome(page);
    await raceCard.panel.getByRole("link", { name: "Open race card" }).click();
    await dialog(page).getByRole("link", { name: "I have an account" }).click();
    await expect(page).toHaveURL(/[?&]account=sign-in/);
    await expect(dialog(page).getByLabel("Full Name")).toHaveCount(0);

    await dialog(page).getByLabel("Email").fill("punter@furlong.test");
    await dialog(page).locator("input[name=password]").fill("not it at all");
    await dialog(page).getByRole("button", { name: "Log In" }).click();
    const message = dialog(page).getByRole("alert");
    await expect(message).toContainText("Authentication Failed");
    await expect(message).toContainText(
      "Invalid email or password. Please check your credentials.",
    );
    await expectAccessible(page);

    await dialog(page).locator("input[name=password]").fill("furlong-demo");
    await dialog(page).getByRole("button", { name: "Log In" }).click();
    await expect(page).toHaveURL(`/race-cards/${raceCard.id}`);
    await expect(page.getByRole("heading", { level: 1, name: raceCard.venue })).toBeVisible();
  });

  test("has the same texts as the login page", async ({ page }) => {
    await page.goto("/login");
    await page.getByLabel("Email").fill("punter@furlong.test");
    await page.locator("input[name=password]").fill("not it at all");
    await page.getByRole("button", { name: "Log In" }).click();
    await expect(page.getByRole("alert")).toContainText("Authentication Failed");
  });
});

test("registering during a coin purchase requires no login", async ({ page }) => {
  await page.goto("/login?mode=register&return=buy-coins");
  await expect(page.getByText("Create an account to purchase coins")).toBeVisible();
  await expect(page.getByText("Please log in to purchase coins")).toHaveCount(0);
  await page.goto("/login?return=buy-coins");
  await expect(page.getByText("Please log in to purchase coins")).toBeVisible();
});

test.describe("the contact form", () => {
  test.use({
    expectedConsoleErrors: [/Failed to launch 'mailto:/],
    permissions: ["clipboard-read", "clipboard-write"],
  });

  test("offers the message for copying when no mail program opens", async ({ page }) => {
    await page.goto("/contact");
    await page.getByLabel("Name").fill("Thandi Mokoena");
    await page.getByLabel("Email").fill("thandi@example.test");
    await page.getByRole("textbox", { name: "Message" }).fill("I paid R40 and see no coins.");
    await page.getByRole("button", { name: "Open in my email app" }).click();
    await expect(page.getByText("No email app has opened")).toBeVisible();
    const text = page.getByLabel("Text to copy");
    await expect(text).toHaveValue(/^To: \S+@\S+\nSubject: Furlong support enquiry\n\nI paid R40/);
    await page.getByRole("button", { name: "Copy message" }).click();
    await expect(page.getByText("Message copied.")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await text.inputValue());
    await expectAccessible(page);
  });
});

test("Back from the payment page keeps the guest's name and email, and no password", async ({
  page,
}) => {
  const raceCard = await findLockedRaceCardOnHome(page);
  await raceCard.panel.getByRole("link", { name: "Open race card" }).click();
  await dialog(page).getByLabel("Full Name").fill("Nandi Khumalo");
  await dialog(page).getByLabel("Email").fill(`nandi.back.${createUniqueNumber()}@example.test`);
  const email = await dialog(page).getByLabel("Email").inputValue();
  await dialog(page).locator("input[name=password]").fill(TEST_PASSWORD);
  await dialog(page).getByRole("checkbox").check();
  await dialog(page).getByRole("button", { name: "Pay R40 and open" }).click();
  await page.waitForURL(/\/demo\/checkout\//);
  await page.goBack();
  await expect(dialog(page).getByLabel("Full Name")).toHaveValue("Nandi Khumalo");
  await expect(dialog(page).getByLabel("Email")).toHaveValue(email);
  await page.goto(`/unlock/${raceCard.id}`);
  await expect(page.getByLabel("Full Name")).toHaveValue("Nandi Khumalo");
  await expect(page.locator("input[name=password]")).toHaveValue("");
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(
    TEST_PASSWORD,
  );
});

test("a delayed payment appears in the profile and by email, and its page updates", async ({
  page,
}) => {
  const { email } = await createBuyer(page);
  await page.goto("/buy-coins");
  await page.getByText("More coin packs").click();
  await page.getByRole("button", { name: /Sea Cottage/ }).click();
  await page.waitForURL(/\/demo\/checkout\//);
  const checkoutUrl = page.url();
  await page.getByRole("button", { name: "Place order, pay later" }).click();
  await expect(page.getByRole("heading", { name: "Your payment is pending" })).toBeVisible();

  const otherPage = await page.context().newPage();
  await otherPage.goto("/profile");
  const purchases = otherPage.getByRole("region", { name: "Recent purchases" });
  await expect(purchases.getByText("Waiting for your payment")).toBeVisible();
  await expect(purchases).toContainText("Sea Cottage");
  await expect(async () => {
    const emails: { to: string; subject: string }[] = await (
      await page.request.get("/demo/mail.json")
    ).json();
    const subjects = emails.filter(({ to }) => to === email).map(({ subject }) => subject);
    expect(
      subjects.filter((subject) => subject === "We are waiting for your payment"),
    ).toHaveLength(1);
  }).toPass();

  await otherPage.goto(checkoutUrl);
  await otherPage.getByRole("button", { name: "Complete payment" }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible({
    timeout: 40_000,
  });
  await otherPage.goto("/profile");
  await expect(purchases).toContainText("Sea Cottage");
  await expect(purchases.getByText("Waiting for your payment")).toHaveCount(0);
});

test.describe("profile forms", () => {
  test.use({ expectedConsoleErrors: [/status of 422/] });

  test("show Furlong's own message beside a missing field", async ({ page }) => {
    await createBuyer(page);
    await page.goto("/profile/name");
    const name = page.getByLabel("Full Name");
    await name.fill("");
    await page.getByRole("button", { name: "Save name" }).click();
    await expect(page.getByText("Please enter your full name")).toBeVisible();
    await expect(name).toBeFocused();

    await page.goto("/profile/password");
    await page.getByRole("button", { name: "Update Password" }).click();
    await expect(page.getByText("Please enter your current password")).toBeVisible();
    await expect(page.getByText("Please enter a new password")).toBeVisible();
    await expect(page.getByLabel("Current Password", { exact: true })).toBeFocused();
  });

  test("show an error beside a name with control characters", async ({ page }) => {
    await createBuyer(page);
    await page.goto("/profile/name");
    await page.getByLabel("Full Name").evaluate((field: HTMLInputElement) => {
      field.value = "Nandi\u0000Khumalo";
    });
    await page.getByRole("button", { name: "Save name" }).click();
    await expect(page.getByText("Name must not contain control characters.")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: "Change name" })).toBeVisible();
  });
});

test.describe("without a connection", () => {
  test.use({ expectedConsoleErrors: [/net::ERR_(FAILED|INTERNET_DISCONNECTED)/] });

  test("the balance stays visible, and a toast appears above the offline notice", async ({
    page,
    context,
  }) => {
    // A user of its own, because other tests change the balances of the demo's users.
    await createBuyer(page);
    const { id } = await findUnopenedRaceCard(page);
    await page.goto(`/race-cards/${id}`);
    const balance = header(page).getByTitle(/coins \(R/);
    await expect(balance).toBeVisible();
    await page.evaluate(async () => void (await document.fonts.ready));
    const boxBefore = await balance.boundingBox();
    const unlockButton = page.getByRole("button", { name: "Open race card" });
    await page.route("**/unlock", (route) => route.abort());
    // The toast's code loads while online.
    await unlockButton.click();
    await expect(page.locator("[data-sonner-toast]").first()).toBeVisible();
    await context.setOffline(true);
    await expect(balance).toBeVisible();
    expect(await balance.boundingBox()).toEqual(boxBefore);
    const offlineNotice = page.getByText("You're offline. This page may be out of date.");
    await expect(offlineNotice).toBeVisible();
    const toast = page.locator("[data-sonner-toast]").last();
    await expect(toast).toBeVisible();
    await expect
      .poll(async () => {
        const [above, below] = await Promise.all([
          toast.boundingBox(),
          offlineNotice.boundingBox(),
        ]);
        return (above?.y ?? 0) + (above?.height ?? 0) <= (below?.y ?? 0);
      })
      .toBe(true);

    await unlockButton.click();
    await expect(
      page.getByText(/^No connection\. Nothing was sent\. No coins were spent\./),
    ).toBeVisible();
    await expect(unlockButton).toBeVisible();
  });
});

test("the carousel moves from its last slide to the first without showing others", async ({
  page,
}) => {
  await page.goto("/");
  const carousel = page.getByRole("region", { name: "How Furlong works" });
  await carousel.getByRole("button", { name: "Pause slides" }).click();
  const slideList = carousel.getByRole("list").first();
  const next = carousel.getByRole("button", { name: "Next slide" });
  await carousel.getByRole("button", { name: /^Show slide 3/ }).click();
  const isAtSlide = (index: number) =>
    slideList.evaluate(
      (list, position) => Math.abs(list.scrollLeft - position * list.clientWidth) < 2,
      index,
    );
  await expect.poll(() => isAtSlide(2)).toBe(true);
  await slideList.evaluate((list) => {
    const passedPositions: number[] = [];
    Object.assign(window, { between: passedPositions });
    list.addEventListener("scroll", () => {
      const position = list.scrollLeft / list.clientWidth;
      if (position > 0.05 && position < 1.95) passedPositions.push(position);
    });
  });
  await next.click();
  await expect.poll(() => isAtSlide(0)).toBe(true);
  expect(await page.evaluate(() => Reflect.get(window, "between"))).toEqual([]);
});

test("touch targets on the leaderboard, an admin list and the tipster sign-in form are large enough", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, "admin@furlong.test");
  const links: [path: string, selector: string][] = [
    ["/leaderboard", 'main a[href^="/tipsters/"]'],
    ["/", 'section[aria-labelledby="leaderboard"] a[href^="/tipsters/"]'],
    ["/tracks/kenilworth", 'aside a[href^="/tipsters/"]'],
    ["/tipster-auth", 'main a[href="/analyst"], main a[href="/terms"]'],
    ["/admin", 'main a[href^="/admin/users/"]'],
  ];
  for (const [path, selector] of links) {
    await page.goto(path);
    const heights = await page.locator(selector).evaluateAll((elements) =>
      elements.slice(0, 10).map((link) => {
        link.scrollIntoView({ block: "center" });
        const { left, top, width, height } = link.getBoundingClientRect();
        const isHit = (y: number) =>
          link.contains(document.elementFromPoint(left + width / 2, y)) ? 1 : 0;
        let hitHeight = 0;
        for (let y = top + height / 2 - 30; y <= top + height / 2 + 30; y += 1)
          hitHeight += isHit(y);
        return hitHeight;
      }),
    );
    expect(heights.length, path).toBeGreaterThan(0);
    for (const height of heights) expect(height, path).toBeGreaterThanOrEqual(28);
  }
});

test("a coin is rendered completely at every size", async ({ page }) => {
  await signIn(page, "punter@furlong.test");
  await page.goto("/buy-coins");
  const clipped = await page
    .locator("svg:has(> circle[fill='var(--gold)'])")
    .evaluateAll((coins) => coins.filter((coin) => getComputedStyle(coin).overflow !== "visible"));
  expect(clipped).toHaveLength(0);
});

test.describe("a browser without optional features", () => {
  // React Router reads the storage in a script of its own, whose failure changes nothing but the scroll position.
  test.use({ expectedConsoleErrors: [/of null \(reading '(get|remove)Item'\)/] });

  test("shows pages where channels, storage, service workers and the time zone are blocked", async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      };
      Object.defineProperty(window, "BroadcastChannel", { value: refuse });
      Object.defineProperty(window, "localStorage", { get: refuse });
      Object.defineProperty(window, "sessionStorage", { get: () => null });
      Object.defineProperty(Navigator.prototype, "serviceWorker", { get: () => undefined });
      const { resolvedOptions } = Intl.DateTimeFormat.prototype;
      Intl.DateTimeFormat.prototype.resolvedOptions = function () {
        return { ...resolvedOptions.call(this), timeZone: undefined as never };
      };
    });
    const raceCard = await findUnopenedRaceCard(page);
    await signIn(page, "tipster@furlong.test");
    for (const path of [
      "/",
      `/race-cards/${raceCard.id}`,
      "/leaderboard",
      "/my-cards",
      "/profile",
      "/tipster-dashboard/add",
    ]) {
      await page.goto(path);
      // A navigation in the page runs the effects of the next page.
      await page.getByRole("contentinfo").getByRole("link", { name: "Terms of service" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Terms of service");
      await page.goBack();
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByText("Sorry, something went wrong")).toHaveCount(0);
    }
    await page.goto("/");
    await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
    await expect(page.getByRole("heading", { name: "You have been logged out" })).toBeVisible();
  });
});
