import type { Browser, Page } from "@playwright/test";
import { CREATORS, toDemoEmail } from "#demo/people.ts";
import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { daysFromToday } from "./clock.ts";
import { expect, test } from "./test.ts";
import {
  asSecondAdmin,
  createAnalyst,
  createBuyer,
  createUniqueNumber,
  createVenue,
  fillCode,
  inAnotherBrowser,
  publishTip,
  signIn,
  TEST_PASSWORD,
  waitForEmailLink,
} from "./users.ts";

// Tests the daily work of an admin, and that other roles have no access.

test.use({ expectedConsoleErrors: [/status of (401|403|404|409|422)|ERR_INTERNET_DISCONNECTED/] });

const ADMIN = { email: "admin@furlong.test", password: "furlong-demo" };

/** Signs in without the form and opens the first admin page. */
async function openAdmin(page: Page): Promise<void> {
  await signIn(page, ADMIN.email);
  await page.goto("/admin");
  await expect(page.getByText("Total Users")).toBeVisible();
}

/** Publishes a tip as an analyst and returns its row in the list of tips. */
async function publishTipOf(analyst: { email: string }, page: Page, browser: Browser) {
  const horse = `Quiet Lantern ${analyst.email.replace(/\D/g, "").slice(-6)}`;
  await inAnotherBrowser(browser, (analystPage) => publishTip(analystPage, analyst.email, horse));
  await page.goto(`/admin/tips?search=${encodeURIComponent(horse)}`);
  const row = page.getByRole("row").filter({ hasText: horse });
  const href = await row.getByRole("link").first().getAttribute("href");
  const raceCardId = /race-cards\/([^#]+)/.exec(href ?? "")?.[1] ?? "";
  expect(raceCardId).not.toBe("");
  return { row, raceCardId };
}

/** Invites an analyst, who sets a password in another browser. */
async function inviteAnalyst(page: Page, browser: Browser): Promise<{ email: string }> {
  const uniqueNumber = createUniqueNumber();
  const email = `analyst.${uniqueNumber}@example.test`;
  const displayName = `Morning Line ${uniqueNumber}`;
  await page.goto("/admin/tipsters/invite");
  await page.getByLabel("Full name").fill("Zanele Mbatha");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Display name").fill(displayName);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await expectToast(page, `${displayName} is an analyst. We've emailed the invitation.`);
  const link = await waitForEmailLink(page, email, "/reset-password");
  await inAnotherBrowser(browser, async (analystPage) => {
    await analystPage.goto(link);
    await analystPage.getByLabel("New password", { exact: true }).fill(TEST_PASSWORD);
    await analystPage.getByRole("checkbox").check();
    await analystPage.getByRole("button", { name: "Save password" }).click();
    await expect(analystPage.getByRole("heading", { name: "Password saved" })).toBeVisible();
  });
  return { email };
}

const expectToast = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).first()).toBeVisible();

test("refuses a punter, signs an admin in and out, and then requires a sign-in again", async ({
  page,
}) => {
  await page.goto("/admin");
  await page.getByLabel("Email").fill("punter@furlong.test");
  await page.getByLabel("Password", { exact: true }).fill("furlong-demo");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByText("Invalid admin credentials")).toBeVisible();
  await expect(page).toHaveURL("/admin");
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByText("Total Users")).toBeVisible();
  const sections = page.getByRole("navigation", { name: "Admin" });
  for (const name of ["Tips Management", "Venues Management", "Sales Overview", "Payouts", "Users"])
    await expect(sections.getByRole("link", { name })).toBeVisible();
  await expect(page.getByRole("link", { name: "Buy Coins" })).toHaveCount(0);
  await expect(page.getByRole("contentinfo")).toHaveCount(0);
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  await expect(page.getByText("You have been logged out")).toBeVisible();
  await page.goto("/admin/users");
  await expect(page).toHaveURL("/admin?return=%2Fadmin%2Fusers");
  await expect(page.getByRole("button", { name: "Log In" })).toBeVisible();
});

test("invites an analyst, hides, shows and deletes a tip, and finds each action in the audit log", async ({
  page,
  browser,
}) => {
  await openAdmin(page);
  const { row } = await publishTipOf(await inviteAnalyst(page, browser), page, browser);
  await row.getByRole("button", { name: /^Hide race 7/ }).click();
  await page.getByRole("alertdialog").getByLabel("Reason").fill("The horse is not entered");
  await page.getByRole("alertdialog").getByRole("button", { name: "Hide" }).click();
  await expectToast(page, /Tip hidden/);
  await expect(row.getByText("Hidden")).toBeVisible();
  await row.getByRole("button", { name: /^Show race 7/ }).click();
  await expectToast(page, /Tip shown/);
  await row.getByRole("button", { name: /^Delete race 7/ }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText(
    "Are you sure you want to delete this tip? This action cannot be undone.",
  );
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(row.getByText("Visible", { exact: true })).toBeVisible();
  await row.getByRole("button", { name: /^Delete race 7/ }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expectToast(page, /Tip deleted/);
  await expect(row.getByText("Deleted")).toBeVisible();
  await page.goto("/admin/audit");
  for (const action of ["Invited an analyst", "Hid a tip", "Showed a tip again", "Deleted a tip"])
    await expect(page.getByRole("row").filter({ hasText: action }).first()).toContainText("Admin");
});

test("voids a race card and refunds the coins of its buyer", async ({ page, browser }) => {
  await openAdmin(page);
  const { raceCardId } = await publishTipOf(await createAnalyst(browser), page, browser);
  await inAnotherBrowser(browser, async (buyerPage) => {
    await createBuyer(buyerPage);
    const readCoins = async () =>
      (await (await buyerPage.request.get("/api/me")).json()).user.coins;
    expect(await readCoins()).toBe(4);
    const unlockResponse = await buyerPage.request.post(`/api/race-cards/${raceCardId}/unlock`);
    expect(unlockResponse.status()).toBe(200);
    expect(await readCoins()).toBe(0);
    await page.goto(`/admin/race-cards/${raceCardId}`);
    const voidSection = page.getByRole("region").or(page.locator("section")).filter({
      hasText: "Void this race card",
    });
    await voidSection.getByLabel("Reason").fill("Fog at the track");
    await voidSection.getByRole("button", { name: "Void race card" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Void race card" }).click();
    await expectToast(page, "Entered. Another admin must void this race card too.");
    await expect(page.getByText("Fog at the track")).toBeVisible();
    expect(await readCoins()).toBe(0);
    await asSecondAdmin(page, browser, async (second) => {
      await second.goto(`/admin/race-cards/${raceCardId}`);
      await second.getByRole("button", { name: "Void race card" }).click();
      const dialog = second.getByRole("alertdialog");
      await expect(dialog).toContainText("4 coins go back to buyers, for 1 sale.");
      await dialog.getByRole("button", { name: "Void race card" }).click();
      await expectToast(second, "Race card voided. Its buyers get back the coins that are due.");
    });
    await expect(async () => expect(await readCoins()).toBe(4)).toPass();
  });
});

test("enters an overdue result and corrects it with another admin", { tag: "@day" }, async ({
  page,
  browser,
}) => {
  await openAdmin(page);
  await page
    .getByRole("table", { name: "Do now" })
    .getByRole("link", { name: /^Enter \d+: / })
    .first()
    .click();
  await expect(page).toHaveURL(/#race-\d+$/);
  const url = page.url();
  await asSecondAdmin(page, browser, async (second) => {
    for (const [outcome, reason, message] of [
      ["lost", "Official result", "Result saved: lost."],
      ["won", "Objection upheld", "Result changed from lost to won."],
    ] as const) {
      for (const admin of [page, second]) {
        await admin.goto(url);
        await admin.reload();
        const panel = admin.locator(new URL(url).hash);
        await panel.getByLabel(/^(Result|Correct to)$/).selectOption(outcome);
        if (admin === page) await panel.getByLabel("Reason").fill(reason);
        await panel.getByRole("button", { name: /^(Enter|Correct|Confirm) result$/ }).click();
        if (admin === page) {
          await expectToast(page, "Result entered. Another admin must enter the same result.");
        } else {
          const dialog = admin.getByRole("alertdialog");
          await expect(dialog).toContainText("1 tip changes.");
          await dialog.getByRole("button", { name: "Set result" }).click();
          await expectToast(admin, message);
        }
        await expect(panel.getByText(reason).first()).toBeVisible();
      }
    }
  });
  await page.goto("/admin/audit?act=correct-result");
  await expect(page.getByText("Objection upheld").first()).toBeVisible();
});

test("approves an application and emails a link to the applicant", async ({ page, browser }) => {
  const uniqueNumber = createUniqueNumber();
  const email = `hopeful.${uniqueNumber}@example.test`;
  const displayName = `Paddock Bell ${uniqueNumber}`;
  await inAnotherBrowser(browser, async (applicantPage) => {
    await applicantPage.goto("/tipster-auth?mode=apply");
    await applicantPage.getByLabel("Email").fill(email);
    await applicantPage.getByLabel("Full Name").fill("Sizwe Ntuli");
    await applicantPage.getByLabel("Display Name").fill(displayName);
    await applicantPage.getByRole("button", { name: "Submit Application" }).click();
    await expect(applicantPage.getByText("Application Submitted!").first()).toBeVisible();
  });
  await openAdmin(page);
  await page
    .getByRole("link", { name: /^Tipsters/ })
    .first()
    .click();
  await page.getByRole("link", { name: "Applications" }).click();
  await page.getByRole("link", { name: displayName }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expectToast(page, "Approved. We've emailed them the link.");
  await expect(page.getByText("By Admin")).toBeVisible();
  expect(await waitForEmailLink(page, email, "/reset-password")).toContain("token=");
  await page.getByRole("link", { name: "View account" }).click();
  await expect(page.getByRole("heading", { name: displayName })).toBeVisible();
  await page.getByRole("button", { name: `Suspend ${displayName}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Suspend" }).click();
  await expectToast(page, /^Suspended/);
  await page.getByRole("button", { name: `Reinstate ${displayName}` }).click();
  await expectToast(page, /^Reinstated/);
});

test("adds a venue in a dialog, enters its race day and deletes it", async ({ page }) => {
  await openAdmin(page);
  const name = `Arlington ${createUniqueNumber()}`;
  await page.getByRole("link", { name: "Venues Management" }).click();
  const addLink = page.getByRole("link", { name: "Add venue" });
  await addLink.click();
  const dialog = page.getByRole("dialog", { name: "Add venue" });
  await dialog.getByRole("button", { name: "Add venue" }).click();
  await expect(dialog.getByText("Name is required")).toBeVisible();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Location").fill("Gqeberha");
  await dialog.getByLabel("Total races").fill("9");
  await dialog.getByRole("button", { name: "Add venue" }).click();
  await expectToast(page, `${name} is added.`);
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL("/admin/venues");
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("9");

  await row.getByRole("link", { name: "Race days" }).click();
  await page.getByLabel("Race date").fill(daysFromToday(3));
  await page.getByRole("button", { name: "Enter race day" }).click();
  await page.getByLabel("First off").fill("12:30");
  await page.getByLabel("Minutes apart").fill("30");
  await page.getByLabel("Races", { exact: true }).fill("3");
  await page.getByRole("button", { name: "Fill in the times" }).click();
  await expect(page.getByLabel("Race 3", { exact: true })).toHaveValue("13:30");
  await page.getByLabel("Going").selectOption("Good");
  await page.getByLabel("Source").fill("Track office");
  await page.getByRole("button", { name: "Save race day" }).click();
  await expectToast(page, "Race day saved.");
  await page.reload();
  await expect(page.getByLabel("Race 2", { exact: true })).toHaveValue("13:00");
  await expect(page.getByLabel("Going")).toHaveValue("Good");

  await page.goto("/admin/venues");
  await row.getByRole("button", { name: `Delete ${name}` }).click();
  const confirmation = page.getByRole("alertdialog");
  await expect(confirmation).toContainText("Are you sure you want to delete this venue?");
  await confirmation.getByRole("button", { name: "Delete" }).click();
  await expectToast(page, /Venue deleted/);
  await expect(row).toBeHidden();
});

test("finds a user, grants coins with a reason, and resends an email", async ({
  page,
  browser,
}) => {
  const email = await inAnotherBrowser(
    browser,
    async (buyerPage) => (await createBuyer(buyerPage)).email,
  );
  await openAdmin(page);
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await page.getByRole("searchbox", { name: "Search by name, email or id" }).fill(email);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("row").filter({ hasText: email }).getByRole("link").first().click();
  const grantSection = page.locator("section").filter({ hasText: "Grant coins" }).last();
  await grantSection.getByLabel("Coins", { exact: true }).fill("8");
  await grantSection.getByLabel("Reason").fill("The site was slow on Saturday");
  await grantSection.getByRole("button", { name: "Grant coins" }).click();
  const confirmation = page.getByRole("alertdialog", { name: "Grant 8 coins to Nandi Khumalo?" });
  await fillCode(page);
  await confirmation.getByRole("button", { name: "Grant coins" }).click();
  await expectToast(page, "Granted 8 coins. New balance: 12 coins.");
  await expect(page.getByRole("table", { name: "History" })).toContainText("Granted");
  await expect(grantSection.getByLabel("Coins", { exact: true })).toHaveValue("");
  await page.getByLabel("Note", { exact: true }).fill("Called about a slow page");
  await page.getByRole("button", { name: "Save note" }).click();
  await expectToast(page, "Note saved.");
  await expect(page.getByRole("table", { name: "History" })).toContainText(
    "Called about a slow page",
  );
  const note = page.getByLabel("Note", { exact: true });
  await expect(note).toHaveValue("");
  // What is typed stays when another note arrives.
  await note.fill("Half a sentence");
  const added = await page.request.post(`${page.url()}/note`, {
    form: { text: "From another desk" },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(added.ok()).toBe(true);
  await page.getByRole("button", { name: "Log out everywhere" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("table", { name: "History" })).toContainText("From another desk");
  await expect(note).toHaveValue("Half a sentence");
  await page.getByRole("link", { name: /^Order: / }).click();
  await page.getByRole("button", { name: "Send the receipt again" }).click();
  await expectToast(page, "Receipt sent.");
  await page.goto("/admin/audit?act=grant-coins");
  const entry = page.getByRole("row").filter({ hasText: "The site was slow on Saturday" });
  await expect(entry).toContainText("Admin");
  await expect(entry).toContainText("Nandi Khumalo");
});

/** Requests a payout of a demo creator who has none in progress. Returns the creator's display name. */
async function requestPayout(browser: Browser): Promise<string> {
  return await inAnotherBrowser(browser, async (page) => {
    for (const { accountName, displayName } of CREATORS.toReversed()) {
      await signIn(page, toDemoEmail(accountName));
      const response = await page.request.post("/tipster-dashboard/payout", { form: {} });
      if (response.ok()) return displayName;
    }
    throw new Error("No demo creator can request a payout.");
  });
}

test("starts a payout, exports the payment file and marks it paid, with a code that then counts for a while", async ({
  page,
  browser,
}) => {
  const name = await requestPayout(browser);
  await openAdmin(page);
  await page
    .getByRole("link", { name: /^Payouts/ })
    .first()
    .click();
  const payoutRow = page.getByRole("row").filter({ hasText: name });
  const requested = payoutRow.filter({ hasText: "Requested" });
  const amount = /R[\d\s]+\.\d\d/.exec((await requested.textContent()) ?? "")?.[0] ?? "";
  const checkbox = payoutRow.getByRole("checkbox");
  await page.getByRole("button", { name: "Select all requested" }).click();
  await expect(checkbox).toBeChecked();
  await page.getByRole("button", { name: "Select all processing" }).click();
  await expect(checkbox).not.toBeChecked();
  await page.reload();
  await checkbox.check();
  await expect(page.getByText(`1 selected, ${amount} in total.`)).toBeVisible();
  await page.getByLabel("Code from your app").fill("12345");
  await page.getByRole("button", { name: "Start processing" }).click();
  await expect(
    page.getByText("That code is wrong or has already been used.").first(),
  ).toBeVisible();
  await fillCode(page);
  await page.getByRole("button", { name: "Start processing" }).click();
  await expectToast(page, "1 payout is now processing.");
  await expect(payoutRow).toContainText("Processing");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download payment file" }).click();
  const stream = await (await download).createReadStream();
  let file = "";
  for await (const chunk of stream) file += chunk;
  const rand = amount.replace(/[R\s]/g, "");
  expect(file).toContain(`,${rand},`);
  expect(file.split("\r\n")[0]).toMatch(new RegExp(`^FURLONG,.*,1,${rand}$`));
  await expect(payoutRow).toContainText("In a file");

  await page.getByRole("button", { name: "Download payment file" }).click();
  await expect(page.getByText("Already in a payment file")).toBeVisible();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByText("Already in a payment file")).toHaveCount(0);
  await payoutRow.getByRole("checkbox").check();

  await page.getByRole("button", { name: "Mark as paid" }).click();
  await expectToast(page, "1 payout marked as paid.");
  await expect(payoutRow).toBeHidden();
  await page.getByRole("link", { name: "Paid", exact: true }).click();
  await expect(page.getByRole("row").filter({ hasText: name }).first()).toContainText(amount);
  await page.goto("/admin/audit");
  for (const action of [
    "Started processing a payout",
    "Created a payment file",
    "Marked a payout as paid",
  ])
    await expect(page.getByRole("row").filter({ hasText: action }).first()).toContainText("Admin");
});

test("keeps the page and shows a message when the connection is lost", async ({
  page,
  context,
}) => {
  await openAdmin(page);
  const venue = await createVenue(page);
  await page.goto("/admin/venues");
  const button = page.getByRole("button", { name: `Deactivate ${venue}` });
  await context.setOffline(true);
  await button.click();
  await expect(page.getByText(/^No connection\. Nothing was sent\./)).toBeVisible();
  await expect(button).toBeVisible();
  await context.setOffline(false);
  await button.click();
  await expectToast(page, "Venue deactivated.");
  await page.getByRole("button", { name: `Activate ${venue}` }).click();
  await expectToast(page, "Venue activated.");
});

const PATHS = [
  "/admin",
  "/admin/tips",
  "/admin/venues",
  "/admin/venues/new",
  "/admin/race-days/import",
  "/admin/purchases",
  "/admin/purchases/coin-packs",
  "/admin/tipsters",
  "/admin/tipsters/applications",
  "/admin/tipsters/invite",
  "/admin/payouts",
  "/admin/payouts/due",
  "/admin/payouts/history",
  "/admin/users",
  "/admin/audit",
  "/admin/search?search=turffontein+today",
];

/** The list and the link selector of one detail page of each kind. */
const DETAIL_PAGES: [list: string, link: string][] = [
  ["/admin/tips", 'a[href^="/admin/race-cards/"]'],
  ["/admin/venues", 'a[href$="/race-days"]'],
  ["/admin/purchases", 'td a[href^="/admin/purchases/"]'],
  ["/admin/purchases", 'th a[href^="/admin/users/"]'],
  ["/admin/tipsters", 'th a[href^="/admin/users/"]'],
  ["/admin/tipsters/applications", 'th a[href^="/admin/tipsters/applications/"]'],
];

test("every screen is accessible in both themes and fits a narrow phone", async ({ page }) => {
  test.setTimeout(480_000);
  await openAdmin(page);
  const paths = [...PATHS];
  for (const [list, link] of DETAIL_PAGES) {
    await page.goto(list);
    const href = await page.locator(link).first().getAttribute("href");
    if (href) paths.push(href.split("#")[0] as string);
  }
  const raceDays = paths.find((path) => path.endsWith("/race-days")) ?? "";
  paths.push(`${raceDays}/${daysFromToday(1)}`);
  expect(paths).toHaveLength(PATHS.length + DETAIL_PAGES.length + 1);
  for (const path of paths) {
    await page.setViewportSize({ width: 1280, height: 800 });
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(200);
    await expect(page).toHaveTitle(/Admin \| Furlong$/);
    await expectAccessibleInBothThemes(page);
    await expectToFit(page, 320, 768);
  }
});

test("guests and punters cannot read admin pages or their data", async ({ page }) => {
  const requestAllPages = async () => {
    const statuses = [];
    for (const path of [...PATHS, "/admin/purchases.csv", "/admin/payouts/payment-file"])
      for (const url of [path, path.replace(/(?=\?|$)/, ".data")]) {
        const response = await page.request.get(url, { maxRedirects: 0 });
        const text = await response.text();
        expect(text, url).not.toContain("Total Users");
        expect(text, url).not.toContain("@furlong.test");
        expect(text, url).not.toContain("cs_test_");
        if (path !== "/admin") statuses.push(response.status());
      }
    return new Set(statuses);
  };
  expect([...(await requestAllPages())].sort()).toEqual([202, 302]);
  await signIn(page, "punter@furlong.test");
  expect([...(await requestAllPages())]).toEqual([403]);
});
