import type { Page } from "@playwright/test";
import { expectAccessibleInBothThemes, expectToFit } from "./accessibility.ts";
import { expect, test } from "./test.ts";

// Tests that the information pages are complete, fit every screen and have no broken links.

const LEGAL_HEADINGS = {
  "/terms-of-service": "Terms of service",
  "/terms": "Tipster Terms & Conditions",
  "/privacy": "Privacy policy",
  "/cookies": "Cookie policy",
  "/responsible-gambling": "Responsible gambling",
  "/disclaimer": "Disclaimer",
};
const HEADINGS = {
  "/contact": "Contact us",
  "/help": "Help centre",
  "/how-it-works": "How Furlong works",
  "/rules": "How tips are settled",
  "/proof": "Check our record",
  "/records": "Download records",
  "/racing-tracks": "Racing tracks",
  "/tracks/kenilworth": "Kenilworth Cape Town",
  "/top-analysts": "Top analysts",
  "/leaderboard": "Leaderboard by win rate",
  ...LEGAL_HEADINGS,
};

/** Returns the internal links of a part of the page, without anchors. */
async function readLinks(page: Page, selector: string): Promise<string[]> {
  const hrefs = await page
    .locator(`${selector} a[href]`)
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).getAttribute("href")));
  return hrefs.filter((href) => href?.startsWith("/")).map((href) => href?.split("#")[0] as string);
}

for (const [path, heading] of Object.entries(HEADINGS)) {
  test(`${path} has a heading, a title and a description`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    const response = await page.goto(path);
    expect(response?.status()).toBe(200);
    await expect(page).toHaveTitle(/^.{5,60} \| Furlong$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    const description = page.locator('meta[name="description"]');
    expect((await description.getAttribute("content"))?.length).toBeGreaterThan(50);
    const canonical = await page.locator('link[rel="canonical"]').getAttribute("href");
    expect(new URL(canonical ?? "").pathname).toBe(path);
    const data = await page.locator('script[type="application/ld+json"]').textContent();
    const { "@graph": graph } = JSON.parse(data ?? "");
    expect(graph[0]["@type"]).toBe("BreadcrumbList");
    expect(graph[0].itemListElement.at(-1).item).toBe(canonical);
  });

  test(`${path} is accessible in both themes and fits a narrow phone`, async ({ page }) => {
    await page.goto(path);
    await expectAccessibleInBothThemes(page);
    await expectToFit(page, 320);
  });
}

test("no link of the information pages or the footer is broken", async ({ page, request }) => {
  const links = new Set<string>();
  for (const path of Object.keys(HEADINGS)) {
    await page.goto(path);
    for (const link of await readLinks(page, "main")) links.add(link);
    for (const link of await readLinks(page, "footer")) links.add(link);
  }
  for (const link of links) expect((await request.get(link)).status(), link).toBe(200);
});

test("the legal pages link to each other and mark the current one", async ({ page }) => {
  for (const path of Object.keys(LEGAL_HEADINGS)) {
    await page.goto(path);
    const sidebar = page.getByRole("navigation", { name: "Legal pages" });
    expect((await readLinks(page, 'nav[aria-label="Legal pages"]')).sort()).toEqual(
      Object.keys(LEGAL_HEADINGS).sort(),
    );
    await expect(sidebar.locator('[aria-current="page"]')).toHaveAttribute("href", path);
    await expect(page.locator("main time").first()).toHaveText(/\d{4}/);
  }
});

test("every section of a legal page has its anchor", async ({ page }) => {
  for (const path of Object.keys(LEGAL_HEADINGS)) {
    await page.goto(path);
    const anchors = await page
      .getByRole("navigation", { name: "On this page" })
      .getByRole("link")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    expect(anchors.length).toBeGreaterThan(3);
    for (const anchor of anchors) await expect(page.locator(anchor)).toHaveCount(1);
  }
});

test.describe("the help centre", () => {
  test("finds answers while typing, ignoring case", async ({ page }) => {
    await page.goto("/help");
    await expect(page.locator("details")).not.toHaveCount(1);
    await page.getByRole("searchbox").fill("DO COINS EXPIRE");
    await expect(page.locator("main details")).toHaveCount(1);
    await expect(page.locator("main").getByRole("status")).toContainText("1 answer");
  });

  test("opens one answer at a time", async ({ page }) => {
    await page.goto("/help");
    const openAnswers = page.locator("main details[open]");
    await page.getByText("Do coins expire?").click();
    await expect(openAnswers).toHaveCount(1);
    await page.getByText("Can I get a refund?").first().click();
    await expect(openAnswers).toHaveCount(1);
    await expect(openAnswers).toContainText("final and non-refundable");
  });

  test("shows a message without results, and escapes the query", async ({ page }) => {
    const query = "<img src=x onerror=alert(1)>.*";
    await page.goto(`/help?q=${encodeURIComponent(query)}`);
    await expect(page.getByText("No results found")).toBeVisible();
    await expect(page.locator("main").getByRole("status")).toContainText(query);
    await page.locator("main").getByRole("link", { name: "Contact support" }).first().click();
    await expect(page).toHaveURL("/contact");
  });

  test("opens the answer of a popular topic", async ({ page }) => {
    await page.goto("/help");
    await page.getByRole("link", { name: "I have coins but can't open a race card" }).click();
    await expect(page.locator("#cannot-unlock")).toHaveAttribute("open", "");
    await expect(page.getByText("check that you are logged in")).toBeInViewport();
  });
});

test.describe("the contact form", () => {
  // No mail program is installed here.
  test.use({ expectedConsoleErrors: [/Failed to launch 'mailto:/] });

  test("passes the message to the mail program without extra headers", async ({ page }) => {
    await page.goto("/contact");
    await page.getByLabel("Name").fill("Thandi & Co");
    await page.getByLabel("Email").fill("thandi@example.test");
    await page
      .getByRole("textbox", { name: "Message" })
      .fill("First line\nBcc: everyone@example.test");
    await page.getByRole("button", { name: "Open in my email app" }).click();
    const link = page.getByRole("status").getByRole("link", { name: "try again" });
    const mailtoUrl = new URL((await link.getAttribute("href")) ?? "");
    expect(mailtoUrl.protocol).toBe("mailto:");
    expect([...mailtoUrl.searchParams.keys()]).toEqual(["subject", "body"]);
    expect(mailtoUrl.searchParams.get("subject")).toBe("Furlong support enquiry");
    expect(mailtoUrl.searchParams.get("body")).toBe(
      "First line\r\nBcc: everyone@example.test\r\n\r\nName: Thandi & Co\r\nEmail: thandi@example.test",
    );
  });

  test("reports missing fields", async ({ page }) => {
    await page.goto("/contact");
    await page.getByLabel("Name").fill("Thandi");
    await page.getByLabel("Email").fill("not an address");
    await page.getByRole("textbox", { name: "Message" }).fill("Hello");
    await page.getByRole("button", { name: "Open in my email app" }).click();
    await expect(page.getByRole("link", { name: "try again" })).toHaveCount(0);
    await expect(page.getByText("Please enter a valid email address")).toBeVisible();
    await expect(page.getByLabel("Email")).toBeFocused();
  });

  test("offers no chat yet", async ({ page }) => {
    await page.goto("/contact");
    await expect(page.getByRole("button", { name: "Start Chat (Coming Soon)" })).toBeDisabled();
  });
});

test("the leaderboard keeps the selected track and period in its URL", async ({ page }) => {
  await page.goto("/leaderboard");
  await page.getByLabel("Track").selectOption({ label: "Greyville" });
  await expect(page).toHaveURL(/venue=greyville/);
  await page.getByLabel("Period").selectOption({ label: "Last 30 days" });
  await expect(page).toHaveURL(/period=30-days/);
  await page.reload();
  await expect(page.getByLabel("Track")).toHaveValue("greyville");
  await expect(page.getByText("Last 30 days, Greyville, all tips").first()).toBeVisible();
});

test("an unknown track shows a 404 page", async ({ page, request }) => {
  expect((await request.get("/tracks/ascot")).status()).toBe(404);
  await page.goto("/racing-tracks");
  await page.getByRole("link", { name: "Turffontein" }).first().click();
  await expect(page).toHaveURL("/tracks/turffontein");
  await expect(page.getByRole("img", { name: /outline of Turffontein/ })).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the help centre searches, and opens a linked answer", async ({ page }) => {
    await page.goto("/help");
    await page.getByRole("searchbox").fill("spam folder");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page).toHaveURL(/q=spam\+folder/);
    await expect(page.locator("main details")).toHaveCount(1);
    await page.goto("/help?answer=refunds#refunds");
    await expect(
      page.getByText("All purchases").or(page.getByText("Purchases are final")),
    ).toBeVisible();
  });

  test("the contact page has a plain link in place of the form", async ({ page }) => {
    await page.goto("/contact");
    await expect(page.getByRole("button", { name: "Open in my email app" })).toBeDisabled();
    await expect(page.getByRole("link", { name: /^email / })).toHaveAttribute(
      "href",
      /^mailto:[^?]+\?subject=Furlong%20support%20enquiry$/,
    );
  });

  test("the leaderboard shows the selected track", async ({ page }) => {
    await page.goto("/leaderboard");
    await page.getByLabel("Track").selectOption("vaal");
    await page.getByRole("button", { name: "Show" }).click();
    await expect(page.getByText("All time, Vaal, all tips").first()).toBeVisible();
  });
});

test.describe("machine-readable files", () => {
  test("the sitemap lists existing pages", async ({ request }) => {
    const response = await request.get("/sitemap.xml");
    expect(response.headers()["content-type"]).toContain("application/xml");
    const paths = [...(await response.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, url]) => new URL(url as string).pathname,
    );
    for (const path of Object.keys(HEADINGS)) expect(paths).toContain(path);
    for (const path of paths) expect((await request.get(path)).status(), path).toBe(200);
  });

  test("robots.txt names the sitemap and disallowed paths", async ({ request }) => {
    const text = await (await request.get("/robots.txt")).text();
    expect(text).toMatch(/^Sitemap: https?:\/\/.+\/sitemap\.xml$/m);
    expect(text).toContain("Disallow: /admin");
    for (const path of Object.keys(HEADINGS)) expect(text).not.toContain(`Disallow: ${path}\n`);
  });

  test("the manifest's icons exist in the declared sizes", async ({ page }) => {
    await page.goto("/contact");
    const href = await page.locator('link[rel="manifest"]').getAttribute("href");
    const response = await page.request.get(href ?? "");
    expect(response.headers()["content-type"]).toContain("application/manifest+json");
    const { icons } = await response.json();
    for (const icon of icons as { src: string; sizes: string; type: string }[]) {
      const image = await page.request.get(icon.src);
      expect(image.headers()["content-type"]).toContain(icon.type);
      if (icon.type !== "image/png") continue;
      const bytes = await image.body();
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(icon.sizes);
    }
    const preview = await page.locator('meta[property="og:image"]').getAttribute("content");
    expect((await page.request.get(new URL(preview ?? "").pathname)).status()).toBe(200);
  });
});
