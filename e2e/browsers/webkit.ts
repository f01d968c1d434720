import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { Builder, By, Capabilities } from "selenium-webdriver";
import { findFreePort } from "#platform/ports.server.ts";
import { eventually, type Visitor } from "./visitor.ts";

const DRIVER = "/usr/bin/WebKitWebDriver";
const X_SERVER = "/usr/bin/Xvfb";
const BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";

/** Starts Debian's WebKitGTK over WebDriver. Returns null if it or a display is not installed. */
export async function openWebKit({ isDark = false } = {}): Promise<Visitor | null> {
  const screen = process.env.DISPLAY;
  if (![DRIVER, BROWSER].every(existsSync) || !(screen || existsSync(X_SERVER))) return null;
  const started: ChildProcess[] = [];
  const display = screen ?? (await startScreen(started));
  const port = await findFreePort();
  started.push(
    spawn(DRIVER, [`--port=${port}`], {
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
    for (const child of started.reverse()) child.kill();
  };
  try {
    return await connect(port, stop);
  } catch (error) {
    stop();
    throw error;
  }
}

async function startScreen(started: ChildProcess[]): Promise<string> {
  const screen = spawn(X_SERVER, ["-displayfd", "3", "-screen", "0", "1400x1000x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  started.push(screen);
  const number = await new Promise<string>((resolve, reject) => {
    screen.stdio[3]?.on("data", (line) => resolve(String(line).trim()));
    screen.on("exit", () => reject(new Error("Xvfb does not start")));
  });
  return `:${number}`;
}

async function connect(port: number, stop: () => void): Promise<Visitor> {
  const capabilities = new Capabilities({
    browserName: "MiniBrowser",
    "webkitgtk:browserOptions": { binary: BROWSER, args: ["--automation"] },
  });
  const server = `http://127.0.0.1:${port}`;
  await eventually("the WebKit driver", async () => (await fetch(`${server}/status`)).ok);
  const driver = await new Builder().usingServer(server).withCapabilities(capabilities).build();
  const agent = await driver.executeScript<string>("return navigator.userAgent");
  const visible = async (by: By) => {
    for (const element of await driver.findElements(by))
      if (await element.isDisplayed()) return element;
    return null;
  };
  return {
    name: `WebKit (${agent})`,
    open: (url) => driver.get(url),
    url: () => driver.getCurrentUrl(),
    press: (xpath) =>
      eventually(`pressing ${xpath}`, async () => {
        const element = await visible(By.xpath(xpath));
        if (!element) return false;
        // WebDriver would scroll it to the edge, under sticky elements.
        await driver.executeScript("arguments[0].scrollIntoView({ block: 'center' })", element);
        await element.click();
        return true;
      }),
    type: (css, text) =>
      eventually(`typing into ${css}`, async () => {
        const element = await visible(By.css(css));
        if (!element) return false;
        await driver.executeScript("arguments[0].select()", element);
        await element.sendKeys(text);
        return true;
      }),
    evaluate: <T>(body: string) => driver.executeScript<T>(body),
    complaints: () => [],
    screenshot: async (path) =>
      writeFileSync(path, Buffer.from(await driver.takeScreenshot(), "base64")),
    close: async () => {
      await driver.quit();
      stop();
    },
  };
}
