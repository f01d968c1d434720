import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ESLint } from "eslint";
import { noUnsupportedApi } from "./no-unsupported-api.ts";

const CLIENT = "build/client";
const EXCERPT_RADIUS = 60;

/** Uses of newer APIs in libraries that are safe in older browsers, by chunk and pattern. */
const ALLOWED: [chunk: RegExp, pattern: RegExp, reason: string][] = [
  [
    /^router-/,
    /\.(startViewTransition|skipTransition)\(\)/,
    "only when a view transition is requested",
  ],
  [/^use-focus-return-/, /\.checkVisibility\(\)/, "Radix detects the feature with typeof"],
  [
    /^(help\.page|read-text)-/,
    /\.Children\.toArray\(/,
    "React's Children.toArray, not a method of iterators",
  ],
  [
    /^demo-gallery/,
    /\.toSorted\(\)/,
    "a method of Radix's own collection, implemented with sort()",
  ],
];

const eslint = new ESLint({
  overrideConfigFile: true,
  allowInlineConfig: false,
  overrideConfig: {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: "latest", sourceType: "module" },
    plugins: { furlong: { rules: { "no-unsupported-api": noUnsupportedApi } } },
    rules: { "furlong/no-unsupported-api": "error" },
  },
});

/** Returns a line for each browser API in a script that a supported browser lacks. */
export async function lintScript(code: string): Promise<string[]> {
  const lines = code.split("\n");
  const [result] = await eslint.lintText(code, { filePath: "script.js" });
  return (result?.messages ?? []).map(({ message, line, column }) => {
    const excerpt =
      lines[line - 1]?.slice(Math.max(0, column - EXCERPT_RADIUS), column + EXCERPT_RADIUS) ?? "";
    return `${message}: ${excerpt.trim()}`;
  });
}

/**
 * Lints every script of the client build, including libraries. Returns the number of files and the
 * findings.
 */
export async function lintClient(): Promise<{ files: number; findings: string[] }> {
  const assets = readdirSync(join(CLIENT, "assets")).filter((name) => name.endsWith(".js"));
  const paths = [...assets.map((name) => join("assets", name)), "service-worker.js"];
  const findings: string[] = [];
  for (const path of paths) {
    const name = path.replace(/^assets\//, "");
    for (const finding of await lintScript(readFileSync(join(CLIENT, path), "utf8"))) {
      const isAllowed = ALLOWED.some(
        ([chunk, pattern]) => chunk.test(name) && pattern.test(finding),
      );
      if (!isAllowed) findings.push(`${name}: ${finding}`);
    }
  }
  return { files: paths.length, findings };
}
