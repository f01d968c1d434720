import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { Browser, Page } from "@playwright/test";
import { addDays, dateAt } from "#domain/calendar.ts";
import { signWebhook } from "#payments/stripe/gateway.server.ts";
import { ADMIN, type Surroundings, startProduction, startSurroundings } from "#test/production.ts";
import { expect, test } from "./test.ts";

// The production build as an operator runs it: two database roles, an authenticated mail server, an external
// payment provider, and HTTPS from a proxy. There are no demo pages or accounts.

test.describe.configure({ mode: "serial", timeout: 600_000 });

const PASSWORD = "a long shot";
const PAY_PAGE = "https://checkout.stripe.com/c/pay/";
const TRACK = "Scottsville";

let surroundings: Surroundings;
let product: Awaited<ReturnType<typeof startProduction>>;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  const { NODE_EXTRA_CA_CERTS: cert = "", TLS_KEY_FILE: key = "" } = process.env;
  surroundings = await startSurroundings();
  surroundings.provider.payPage = PAY_PAGE;
  product = await startProduction(surroundings, {
    cert: readFileSync(cert, "utf8"),
    key: readFileSync(key, "utf8"),
  });
});
test.afterAll(async () => {
  await product?.stop();
  await surroundings?.stop();
});

/** Opens a browser context with this installation's base URL. */
async function visitor(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    baseURL: product.url,
    serviceWorkers: "allow",
  });
  return await context.newPage();
}

/** Waits for an email with a link of this kind and returns the newest. */
async function mailedLink(email: string, path: string): Promise<string> {
  const link = new RegExp(`${product.url}(${path}\\?token=[\\w.-]+)`);
  let found = "";
  await expect(() => {
    const own = surroundings.mails
      .map((mail) => mail.replaceAll("=\r\n", "").replaceAll("=3D", "="))
      .filter((mail) => mail.includes(`To: ${email}`));
    found = link.exec(own.at(-1) ?? "")?.[1] ?? "";
    expect(found, own.at(-1)).not.toBe("");
  }).toPass({ timeout: 60_000 });
  return found;
}

async function logIn(page: Page, email: string, password: string) {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.locator("input[name=password]").fill(password);
  await page.getByRole("button", { name: /^(Sign|Log) in$/i }).click();
}

async function adminPage(browser: Browser): Promise<Page> {
  const page = await visitor(browser);
  await page.goto("/admin");
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
  await page.getByRole("button", { name: /^(Sign|Log) in$/i }).click();
  await expect(page.getByText("Total Users")).toBeVisible();
  return page;
}

/** Pays on the provider's page, which delivers the webhook and redirects back. */
async function payAtProvider(page: Page) {
  await page.route(`${PAY_PAGE}**`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Pay here</h1>" }),
  );
}
async function completePayment(page: Page) {
  await page.waitForURL(`${PAY_PAGE}**`);
  const id = page.url().slice(PAY_PAGE.length);
  const { successUrl } = surroundings.provider.pay(id);
  const body = JSON.stringify(surroundings.provider.event("checkout.session.completed", id));
  const told = await page.request.post(`${product.url}/webhooks/stripe`, {
    headers: { "content-type": "application/json", "stripe-signature": signWebhook(body) },
    data: body,
  });
  expect(told.status()).toBe(200);
  await page.goto(successUrl.replace("{CHECKOUT_SESSION_ID}", id));
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
}

test("a user registers, confirms by email and is logged in by a Secure __Host- cookie", async ({
  browser,
}) => {
  const page = await visitor(browser);
  const email = "lerato@example.test";
  await page.goto("/login?mode=register");
  await page.getByLabel("Full Name").fill("Lerato Molefe");
  await page.getByLabel("Email").fill(email);
  await page.locator("input[name=password]").fill(PASSWORD);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
  await page.goto(await mailedLink(email, "/auth-callback"));
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
  const answer = await page.request.get("/");
  expect(answer.headers()["strict-transport-security"]).toContain("max-age=31536000");

  await page.goto("/");
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "You have been logged out" })).toBeVisible();
  await logIn(page, email, "not the password");
  await expect(page.getByText(/Invalid email or password/).first()).toBeVisible();
  await logIn(page, email, PASSWORD);
  await expect(page).toHaveURL(`${product.url}/`);
  await page.context().close();
});

test("an admin approves a tipster, who publishes a tip and uploads a photo", async ({
  browser,
}) => {
  const page = await visitor(browser);
  const person = { email: "lindiwe@example.test", displayName: "Rails Runner" };
  await page.goto("/tipster-auth?mode=apply");
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Full Name").fill("Lindiwe Sithole");
  await page.getByLabel("Display Name").fill(person.displayName);
  await page.getByRole("button", { name: "Submit Application" }).click();
  await expect(page.getByText("Application Submitted!").first()).toBeVisible();

  const admin = await adminPage(browser);
  await admin.goto("/admin/tipsters/applications?status=applied");
  await admin.getByRole("link", { name: person.displayName }).click();
  await admin.getByRole("button", { name: "Approve" }).click();
  await expect(admin.getByText("Approved. We've emailed them the link.").first()).toBeVisible();
  await admin.context().close();

  await page.goto(await mailedLink(person.email, "/reset-password"));
  await page.locator("input[name=password]").fill(PASSWORD);
  const terms = page.getByRole("checkbox");
  if ((await terms.count()) > 0) await terms.check();
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByRole("heading", { name: "Password saved" })).toBeVisible();
  await page.goto("/tipster-auth");
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(`${product.url}/tipster-dashboard`);

  const photo = await page.screenshot({ type: "png" });
  await page.goto("/tipster-dashboard/profile");
  await page
    .getByLabel("Add a photo")
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: photo });
  await expect(page.getByText("Profile photo updated successfully!")).toBeVisible();
  const shown = page.locator('img[src^="/uploads/"]').first();
  await expect(shown).toBeVisible();
  expect(await shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(320);

  await page.goto("/tipster-dashboard/add");
  await page.getByLabel("Venue").selectOption({ label: TRACK });
  await page.getByLabel("Race date").fill(addDays(dateAt(new Date()), 1));
  await page.getByLabel("Horse number").fill("4");
  await page.getByLabel("Horse name").fill("Secure Passage");
  await page.getByText("Win", { exact: true }).click();
  await page.getByText("High", { exact: true }).click();
  await page.getByLabel("Analysis").fill("Drawn well, and the pace suits.");
  await page.getByRole("button", { name: "Publish tip" }).click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page).toHaveURL(`${product.url}/tipster-dashboard`);
  await expect(page.getByText("Secure Passage").first()).toBeVisible();
  await page.context().close();
});

test("a guest buys a race card, and a user buys coins and unlocks one", async ({ browser }) => {
  const { raceCards } = await (await fetch(`${product.url}/api/race-cards`)).json();
  const card = `/race-cards/${raceCards[0].id}`;

  const guest = await visitor(browser);
  await payAtProvider(guest);
  await guest.goto(`/unlock/${raceCards[0].id}`);
  await guest.getByLabel("Full Name").fill("Sizwe Ndlovu");
  await guest.getByLabel("Email").fill("sizwe@example.test");
  await guest.locator("input[name=password]").fill(PASSWORD);
  await guest.getByRole("checkbox").check();
  await guest.getByRole("button", { name: "Pay R40 and open race card" }).click();
  await completePayment(guest);
  await guest.goto(card);
  await expect(guest.getByText("Secure Passage").first()).toBeVisible();
  await guest.context().close();

  const page = await visitor(browser);
  await payAtProvider(page);
  await logIn(page, "lerato@example.test", PASSWORD);
  await expect(page).toHaveURL(`${product.url}/`);
  await page.goto("/buy-coins");
  await page.getByRole("button", { name: /Horse Chestnut/ }).click();
  await completePayment(page);
  const coins = async () => (await (await page.request.get("/api/me")).json()).user.coins;
  const before = await coins();
  expect(before).toBeGreaterThan(0);
  await page.goto(card);
  await page.getByRole("button", { name: "Open race card" }).click();
  await expect(page.getByText("Secure Passage").first()).toBeVisible();
  expect(await coins()).toBe(before - 4);

  // Offline copies require a secure context.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.goto(card);
  await expect
    .poll(() => page.evaluate(async () => (await (await caches.open("copies")).keys()).length))
    .toBeGreaterThan(0);
  await page.context().setOffline(true);
  await page.goto(card);
  await expect(page.getByText(/Saved copy from/)).toBeVisible();
  await page.context().close();
});

test("streams events unbuffered, and refuses private endpoints and cross-origin forms", async ({
  browser,
}) => {
  const page = await visitor(browser);
  await page.goto("/leaderboard");
  const first = await page.evaluate(async () => {
    const answer = await fetch("/events/leaderboard");
    const reader = answer.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    return { type: answer.headers.get("content-type"), text: new TextDecoder().decode(value) };
  });
  expect(first.type).toContain("text/event-stream");
  expect(first.text).toContain("retry: 3000");
  expect((await page.request.get("/metrics")).status()).toBe(403);
  for (const path of ["/demo/mail", "/demo/mail.json", "/demo/gallery"])
    expect((await page.request.get(path)).status(), path).toBe(404);
  // Forms from another origin, or from the same host over plain HTTP.
  for (const origin of ["https://evil.example", product.url.replace("https:", "http:")]) {
    const answer = await page.request.post("/login", {
      headers: { origin },
      form: { email: ADMIN.email, password: ADMIN.password },
    });
    expect(answer.status(), origin).toBe(403);
  }
  await page.context().close();
});

test("the doctor reports exactly the problems of this installation", async () => {
  const doctor = spawn(process.execPath, ["bin/doctor.ts"], {
    env: { ...process.env, ...surroundings.variables, APP_URL: product.url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(doctor, "close");
  const found = (await text(doctor.stdout)).trim().split("\n");
  expect(await ended).toEqual([1, null]);
  expect(found.map((line) => line.split(/[ ,.]/)[0])).toEqual([
    "STRIPE_API_BASE", // the tests' own provider
    "ADMIN_PASSWORD", // still set
    "There", // is no backup
    "3",
  ]);
});

test("no errors were logged", () => {
  const errors = product
    .said()
    .split("\n")
    .filter((line) => line.startsWith("{") && JSON.parse(line).level >= 50);
  expect(errors).toEqual([]);
});
