import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { Browser, Page } from "@playwright/test";
import { addDays, dateAt } from "#domain/calendar.ts";
import { signWebhook } from "#payments/stripe/gateway.server.ts";
import {
  ADMIN,
  type ProductionServices,
  startProduction,
  startProductionServices,
} from "#test/production.ts";
import { readLoadedWidth } from "./read-loaded-width.ts";
import { expect, test } from "./test.ts";

// Tests the production build with two database roles, an authenticated mail server, an external payment
// provider and HTTPS from a proxy. There are no demo pages or accounts.

test.describe.configure({ mode: "serial", timeout: 600_000 });

const PASSWORD = "a long shot";
const CHECKOUT_URL = "https://checkout.stripe.com/c/pay/";
const VENUE = "Scottsville";

let services: ProductionServices;
let server: Awaited<ReturnType<typeof startProduction>>;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  const { NODE_EXTRA_CA_CERTS: cert = "", TLS_KEY_FILE: key = "" } = process.env;
  services = await startProductionServices();
  services.provider.payPage = CHECKOUT_URL;
  server = await startProduction(services, {
    cert: readFileSync(cert, "utf8"),
    key: readFileSync(key, "utf8"),
  });
});
test.afterAll(async () => {
  await server?.stop();
  await services?.stop();
});

/** Opens a browser context with this installation's base URL. */
async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    serviceWorkers: "allow",
  });
  return await context.newPage();
}

/** Waits for an email with a link to this path and returns the newest link. */
async function waitForEmailLink(email: string, path: string): Promise<string> {
  const pattern = new RegExp(`${server.url}(${path}\\?token=[\\w.-]+)`);
  let emailedPath = "";
  await expect(() => {
    const emails = services.emails
      .map((message) => message.replaceAll("=\r\n", "").replaceAll("=3D", "="))
      .filter((message) => message.includes(`To: ${email}`));
    // Creators also get the day's checkpoint, at any time.
    emailedPath =
      pattern.exec(emails.findLast((message) => pattern.test(message)) ?? "")?.[1] ?? "";
    expect(emailedPath, emails.at(-1)).not.toBe("");
  }).toPass({ timeout: 60_000 });
  return emailedPath;
}

async function logIn(page: Page, email: string, password: string) {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.locator("input[name=password]").fill(password);
  await page.getByRole("button", { name: /^(Sign|Log) in$/i }).click();
}

async function openAdminPage(browser: Browser): Promise<Page> {
  const page = await openPage(browser);
  await page.goto("/admin");
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
  await page.getByRole("button", { name: /^(Sign|Log) in$/i }).click();
  await expect(page.getByText("Total Users")).toBeVisible();
  return page;
}

/** Replaces the provider's checkout page, which is outside this machine. */
async function fakeCheckoutPage(page: Page) {
  await page.route(`${CHECKOUT_URL}**`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Pay here</h1>" }),
  );
}

/** Pays at the provider, delivers its webhook and follows its redirect. */
async function completePayment(page: Page) {
  await page.waitForURL(`${CHECKOUT_URL}**`);
  const id = page.url().slice(CHECKOUT_URL.length);
  const { successUrl } = services.provider.pay(id);
  const body = JSON.stringify(services.provider.event("checkout.session.completed", id));
  const response = await page.request.post(`${server.url}/webhooks/stripe`, {
    headers: { "content-type": "application/json", "stripe-signature": signWebhook(body) },
    data: body,
  });
  expect(response.status()).toBe(200);
  await page.goto(successUrl.replace("{CHECKOUT_SESSION_ID}", id));
  await expect(page.getByText("Payment Successful")).toBeVisible();
}

test("a user registers, confirms by email and is logged in by a Secure __Host- cookie", async ({
  browser,
}) => {
  const page = await openPage(browser);
  const email = "lerato@example.test";
  await page.goto("/login?mode=register");
  await page.getByLabel("Full Name").fill("Lerato Molefe");
  await page.getByLabel("Email").fill(email);
  await page.locator("input[name=password]").fill(PASSWORD);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
  await page.goto(await waitForEmailLink(email, "/auth-callback"));
  await expect(page.getByText("Email confirmed successfully! Welcome to Furlong!")).toBeVisible();
  expect((await page.request.get("/api/me")).status()).toBe(200);

  const cookies = (await page.context().cookies()).filter(({ name }) => /furlong/.test(name));
  expect(cookies.length).toBeGreaterThan(0);
  for (const { name, secure, httpOnly, path, sameSite } of cookies) {
    expect(name).toMatch(/^__Host-furlong/);
    expect({ secure, httpOnly, path, sameSite }).toEqual({
      secure: true,
      httpOnly: true,
      path: "/",
      sameSite: "Lax",
    });
  }
  const response = await page.request.get("/");
  expect(response.headers()["strict-transport-security"]).toContain("max-age=31536000");

  await page.goto("/");
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "You have been logged out" })).toBeVisible();
  await logIn(page, email, "not the password");
  await expect(page.getByText(/Invalid email or password/).first()).toBeVisible();
  await logIn(page, email, PASSWORD);
  await expect(page).toHaveURL(`${server.url}/`);
  await page.context().close();
});

test("an admin approves a tipster, who publishes a tip and uploads a photo", async ({
  browser,
}) => {
  const page = await openPage(browser);
  const applicant = { email: "lindiwe@example.test", displayName: "Rails Runner" };
  await page.goto("/tipster-auth?mode=apply");
  await page.getByLabel("Email").fill(applicant.email);
  await page.getByLabel("Full Name").fill("Lindiwe Sithole");
  await page.getByLabel("Display Name").fill(applicant.displayName);
  await page.getByRole("button", { name: "Submit Application" }).click();
  await expect(page.getByText("Application Submitted!").first()).toBeVisible();

  const adminPage = await openAdminPage(browser);
  await adminPage.goto("/admin/tipsters/applications?status=applied");
  await adminPage.getByRole("link", { name: applicant.displayName }).click();
  await adminPage.getByRole("button", { name: "Approve" }).click();
  await expect(adminPage.getByText("Approved. We've emailed them the link.").first()).toBeVisible();
  const startPayout = { form: { payout: "01a2b3c4-0000-7000-8000-000000000000" } };
  const refused = await adminPage.request.post("/admin/payouts/start", startPayout);
  expect(refused.status()).toBe(403);
  await adminPage.goto("/admin/admins");
  await expect(adminPage.getByText("Two-step login is off")).toBeVisible();
  await adminPage.context().close();

  await page.goto(await waitForEmailLink(applicant.email, "/reset-password"));
  await page.locator("input[name=password]").fill(PASSWORD);
  const termsCheckbox = page.getByRole("checkbox");
  if ((await termsCheckbox.count()) > 0) await termsCheckbox.check();
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByRole("heading", { name: "Password saved" })).toBeVisible();
  await page.goto("/tipster-auth");
  await page.getByLabel("Email").fill(applicant.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(`${server.url}/tipster-dashboard`);

  const photo = await page.screenshot({ type: "png" });
  await page.goto("/tipster-dashboard/profile");
  await page
    .getByLabel("Add a photo")
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: photo });
  await expect(page.getByText("Profile photo updated successfully!")).toBeVisible();
  const image = page.locator('img[src^="/uploads/"]').first();
  await expect(image).toBeVisible();
  expect(await image.evaluate(readLoadedWidth)).toBe(320);

  await page.goto("/tipster-dashboard/add");
  await page.getByLabel("Venue").selectOption({ label: VENUE });
  await page.getByLabel("Race date").fill(addDays(dateAt(new Date()), 1));
  await page.getByLabel("Horse number").fill("4");
  await page.getByLabel("Horse name").fill("Secure Passage");
  await page.getByText("Win", { exact: true }).click();
  await page.getByText("High", { exact: true }).click();
  await page.getByLabel("Analysis").fill("Drawn well, and the pace suits.");
  await page.getByRole("button", { name: "Publish tip" }).click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page).toHaveURL(`${server.url}/tipster-dashboard/tips`);
  await expect(page.getByText("Secure Passage").first()).toBeVisible();
  await page.context().close();
});

test("a guest buys a race card, and a user buys coins and unlocks one", async ({ browser }) => {
  const { raceCards } = await (await fetch(`${server.url}/api/race-cards`)).json();
  const raceCardPath = `/race-cards/${raceCards[0].id}`;

  const guestPage = await openPage(browser);
  await fakeCheckoutPage(guestPage);
  await guestPage.goto(`/unlock/${raceCards[0].id}`);
  await guestPage.getByLabel("Full Name").fill("Sizwe Ndlovu");
  await guestPage.getByLabel("Email").fill("sizwe@example.test");
  await guestPage.locator("input[name=password]").fill(PASSWORD);
  await guestPage.getByRole("checkbox").check();
  await guestPage.getByRole("button", { name: "Pay R40 and open" }).click();
  await completePayment(guestPage);
  await guestPage.goto(raceCardPath);
  await expect(guestPage.getByText("Secure Passage").first()).toBeVisible();
  await guestPage.context().close();

  const page = await openPage(browser);
  await fakeCheckoutPage(page);
  await logIn(page, "lerato@example.test", PASSWORD);
  await expect(page).toHaveURL(`${server.url}/`);
  await page.goto("/buy-coins");
  await page.getByRole("button", { name: /Horse Chestnut/ }).click();
  await completePayment(page);
  const readCoins = async () => (await (await page.request.get("/api/me")).json()).user.coins;
  const coinsBefore = await readCoins();
  expect(coinsBefore).toBeGreaterThan(0);
  await page.goto(raceCardPath);
  await page.getByRole("button", { name: "Open race card" }).click();
  await expect(page.getByText("Secure Passage").first()).toBeVisible();
  expect(await readCoins()).toBe(coinsBefore - 4);

  // Offline copies require a secure context.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.goto(raceCardPath);
  await expect
    .poll(() => page.evaluate(async () => (await (await caches.open("copies")).keys()).length))
    .toBeGreaterThan(0);
  await page.context().setOffline(true);
  await page.goto(raceCardPath);
  await expect(page.getByText(/Saved copy from/)).toBeVisible();
  await page.context().close();
});

test("streams events unbuffered, and refuses private endpoints and cross-origin forms", async ({
  browser,
}) => {
  const page = await openPage(browser);
  await page.goto("/leaderboard");
  const stream = await page.evaluate(async () => {
    const response = await fetch("/events/leaderboard");
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    return { type: response.headers.get("content-type"), text: new TextDecoder().decode(value) };
  });
  expect(stream.type).toContain("text/event-stream");
  expect(stream.text).toContain("retry: 3000");
  expect((await page.request.get("/metrics")).status()).toBe(403);
  for (const path of ["/demo/mail", "/demo/mail.json", "/demo/gallery"])
    expect((await page.request.get(path)).status(), path).toBe(404);
  // Forms from another origin, or from the same host over plain HTTP.
  for (const origin of ["https://evil.example", server.url.replace("https:", "http:")]) {
    const response = await page.request.post("/login", {
      headers: { origin },
      form: { email: ADMIN.email, password: ADMIN.password },
    });
    expect(response.status(), origin).toBe(403);
  }
  await page.context().close();
});

test("the doctor reports exactly the problems of this installation", async () => {
  const doctor = spawn(process.execPath, ["bin/doctor.ts"], {
    env: { ...process.env, ...services.variables, APP_URL: server.url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(doctor, "close");
  const lines = (await text(doctor.stdout)).trim().split("\n");
  expect(await closed).toEqual([1, null]);
  const problems = lines.slice(0, -1);
  // The disk of the machine that runs the tests may be nearly full.
  const ofInstallation = problems.filter((line) => !line.startsWith("The disk of DATA_DIR has "));
  expect(ofInstallation.map((line) => line.split(/[ ,.]/)[0])).toEqual([
    "STRIPE_API_BASE", // the fake provider
    "ADMIN_PASSWORD", // still set
    "There", // is no backup
  ]);
  expect(lines.at(-1)).toBe(`Problems found: ${problems.length}.`);
});

test("no errors were logged", () => {
  const errors = server
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{") && JSON.parse(line).level >= 50);
  expect(errors).toEqual([]);
});
