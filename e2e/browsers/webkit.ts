import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { Builder, By, Capabilities } from "selenium-webdriver";
import { findFreePort } from "#platform/ports.server.ts";
import { type BrowserDriver, waitUntil } from "./browser-driver.ts";

const DRIVER_PATH = "/usr/bin/WebKitWebDriver";
const XVFB_PATH = "/usr/bin/Xvfb";
const BROWSER_PATH = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";

/** Starts Debian's WebKitGTK over WebDriver. Returns null if it or a display is not installed. */
export async function openWebKit({ isDark = false } = {}): Promise<BrowserDriver | null> {
  const existingDisplay = process.env.DISPLAY;
  if (![DRIVER_PATH, BROWSER_PATH].every(existsSync) || !(existingDisplay || existsSync(XVFB_PATH)))
    return null;
  const processes: ChildProcess[] = [];
  const display = existingDisplay ?? (await startVirtualDisplay(processes));
  const port = await findFreePort();
  processes.push(
    spawn(DRIVER_PATH, [`--port=${port}`], {
      stdio: "ignore",
      env: {
        ...process.env,
        DISPLAY: display,
        ...(isDark ? { GTK_THEME: "Adwaita:dark" } : {}),
        // The sandbox needs user namespaces, which containers lack.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
      },
    }),
  );
  const stop = () => {
    for (const child of processes.reverse()) child.kill();
  };
  try {
    return await connect(port, stop);
  } catch (error) {
    stop();
    throw error;
  }
}

async function startVirtualDisplay(processes: ChildProcess[]): Promise<string> {
  const xServer = spawn(XVFB_PATH, ["-displayfd", "3", "-screen", "0", "1400x1000x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  processes.push(xServer);
  const displayNumber = await new Promise<string>((resolve, reject) => {
    xServer.stdio[3]?.on("data", (line) => resolve(String(line).trim()));
    xServer.on("exit", () => reject(new Error("Xvfb exited during its start.")));
  });
  return `:${displayNumber}`;
}

async function connect(port: number, stop: () => void): Promise<BrowserDriver> {
  const capabilities = new Capabilities({
    browserName: "MiniBrowser",
    "webkitgtk:browserOptions": { binary: BROWSER_PATH, args: ["--automation"] },
  });
  const server = `http://127.0.0.1:${port}`;
  await waitUntil("the WebKit driver", async () => (await fetch(`${server}/status`)).ok);
  const driver = await new Builder().usingServer(server).withCapabilities(capabilities).build();
  const userAgent = await driver.executeScript<string>("return navigator.userAgent");
  const findVisible = async (by: By) => {
    for (const element of await driver.findElements(by))
      if (await element.isDisplayed()) return element;
    return null;
  };
  return {
    name: `WebKit (${userAgent})`,
    open: (url) => driver.get(url),
    url: () => driver.getCurrentUrl(),
    click: (xpath) =>
      waitUntil(`a click on ${xpath}`, async () => {
        const element = await findVisible(By.xpath(xpath));
        if (!element) return false;
        // WebDriver would scroll it to the edge, under sticky elements.
        await driver.executeScript("arguments[0].scrollIntoView({ block: 'center' })", element);
        await element.click();
        return true;
      }),
    fill: (css, text) =>
      waitUntil(`input into ${css}`, async () => {
        const element = await findVisible(By.css(css));
        if (!element) return false;
        await driver.executeScript("arguments[0].select()", element);
        await element.sendKeys(text);
        return true;
      }),
    evaluate: <T>(body: string) => driver.executeScript<T>(body),
    scriptErrors: () => [],
    screenshot: async (path) =>
      writeFileSync(path, Buffer.from(await driver.takeScreenshot(), "base64")),
    close: async () => {
      await driver.quit();
      stop();
    },
  };
}
