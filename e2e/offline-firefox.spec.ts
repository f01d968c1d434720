import { expect, test } from "./test.ts";
import { createBuyer } from "./users.ts";

const FIREFOX = "Mozilla/5.0 (Android 13; Mobile; rv:115.0) Gecko/115.0 Firefox/115.0";

// A service worker has the user agent of the browser, not of its context.
test.use({
  serviceWorkers: "allow",
  launchOptions: [
    async ({ launchOptions }, use) => {
      await use({
        ...launchOptions,
        args: [...(launchOptions.args ?? []), `--user-agent=${FIREFOX}`],
      });
    },
    { scope: "worker" },
  ],
});

test("navigation preload is off in Firefox, even if an older service worker enabled it", async ({
  page,
}) => {
  const isEnabled = () =>
    page.evaluate(async () => {
      const { navigationPreload } = await navigator.serviceWorker.ready;
      return (await navigationPreload.getState()).enabled;
    });
  await createBuyer(page);
  await page.goto("/");
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await expect.poll(isEnabled).toBe(false);

  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).navigationPreload.enable();
  });
  expect(await isEnabled()).toBe(true);
  // The browser treats a changed script URL as a new version of the service worker.
  await page.evaluate(() => navigator.serviceWorker.register("/service-worker.js?next"));
  await expect.poll(isEnabled).toBe(false);
});
