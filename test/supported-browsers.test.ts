import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lintScript } from "#bin/lint-client.ts";
import { BUILD_TARGET, OLDEST_BROWSERS } from "#bin/supported-browsers.ts";

describe("the client script lint", () => {
  it.each([
    ["a static method", "URL.canParse('/')", "URL.canParse"],
    ["a global", "new URLPattern({})", "URLPattern"],
    ["a member of window", "window.scheduler.priority", "window.scheduler"],
    ["a global of JavaScript", "new DisposableStack()", "DisposableStack"],
    ["a method of an array", "[2, 1].toSorted()", ".toSorted()"],
    ["a method of an element", "document.body.showPopover()", ".showPopover()"],
    ["a static method of a built-in", "Object.groupBy([], String)", "Object.groupBy"],
    ["a method of a built-in", "new Set().union(other)", ".union()"],
  ])("reports %s that a supported browser lacks", async (_what, code, name) => {
    const findings = await lintScript(code);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toContain(`${name} is missing`);
  });

  it.each([
    "AbortSignal.timeout(5)",
    "[1, 2].findLast(Boolean)",
    "structuredClone({})",
    "[1, 2].map(String)",
    "const URLPattern = 1; use(URLPattern)",
    "document.startViewTransition?.(() => {})",
    "typeof URLPattern",
    "if ('canParse' in URL) URL.canParse('/')",
    "navigator.connection && navigator.connection.downlink",
  ])("allows %s", async (code) => {
    expect(await lintScript(code)).toEqual([]);
  });
});

describe("the supported browsers", () => {
  it("are the same in the build, the lint and the README", () => {
    const { chrome, safari, firefox, samsunginternet_android: samsung } = OLDEST_BROWSERS;
    expect(BUILD_TARGET).toEqual([
      `chrome${chrome}`,
      `safari${safari}`,
      `ios${safari}`,
      `firefox${firefox}`,
    ]);
    const readme = readFileSync("README.md", "utf8");
    expect(readme).toContain(
      `Chrome and WebView ${chrome}, Samsung Internet ${Number.parseInt(samsung, 10)}, Safari ${safari}, Firefox ${firefox}`,
    );
  });
});
