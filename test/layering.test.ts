import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

// `npm test` checks the layers of the product; these tests prove that the check finds violations.
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "furlong-layers-"));
  const imports = { "#test/*": "./test/support/*", "#*": "./src/*" };
  plant("package.json", JSON.stringify({ type: "module", imports }));
  plant("node_modules/stripe/package.json", JSON.stringify({ name: "stripe", main: "index.js" }));
  plant("node_modules/stripe/index.js", "");
  plant("src/racing/racing.server.ts", "export const venues = {};");
  plant("src/domain/coins.ts", "export const price = 4;");
  plant("src/wallet/tables.server.ts", "export const wallets = {};");
  plant("src/wallet/wallet.server.ts", 'export { wallets } from "./tables.server.ts";');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function plant(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function violations(...folders: string[]): string[] {
  const cruiser = resolve("node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const config = resolve(".dependency-cruiser.mjs");
  const { stdout } = spawnSync(
    process.execPath,
    [cruiser, "src", ...folders, "--config", config, "--output-type", "json"],
    { cwd: root, encoding: "utf8", maxBuffer: 1e8 },
  );
  const { summary } = JSON.parse(stdout) as {
    summary: { violations: { from: string; to: string; rule: { name: string } }[] };
  };
  return summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} > ${to}`).sort();
}

test("allows imports of lower layers and of public interfaces", () => {
  plant("src/sales/unlock.server.ts", 'export * from "#wallet/wallet.server.ts";');
  plant("src/ui/coin.tsx", 'export * from "#domain/coins.ts";');
  plant("src/server.ts", 'export * from "#wallet/wallet.server.ts";');
  plant("src/wallet/wallet.test.ts", 'import "../server.ts";');
  plant("src/admin-kit/admin-kit.server.ts", "export const requireAdmin = {};");
  plant("src/identity/admin/users.page.tsx", 'import "#admin-kit/admin-kit.server.ts";');
  expect(violations()).toEqual([]);
});

test("reports a violation of each rule", () => {
  plant("src/domain/track-record.ts", 'export * from "#wallet/wallet.server.ts";');
  plant("src/platform/notify.server.ts", 'export * from "#wallet/wallet.server.ts";');
  plant("src/racing/racing.server.ts", "export const racing = {};");
  plant("src/identity/user.server.ts", 'export * from "#racing/racing.server.ts";');
  plant("src/sales/unlock.server.ts", 'export * from "#wallet/tables.server.ts";');
  plant("src/racing/venues.server.ts", 'import type { wallets } from "#wallet/tables.server.ts";');
  plant("src/identity/admin/users.page.tsx", 'import "#racing/racing.server.ts";');
  plant("src/site/pay.server.ts", 'import "stripe";');
  plant("src/site/gone.server.ts", 'import "./never-written.ts";');
  plant("test/support/factories.ts", "export {};");
  plant("src/site/home.page.tsx", 'import "#test/factories.ts";');
  expect(violations()).toEqual([
    "domain-imports-only-earlier-folders: src/domain/track-record.ts > src/wallet/wallet.server.ts",
    "every-import-resolves: src/site/gone.server.ts > ./never-written.ts",
    "features-are-used-through-public-interfaces: src/racing/venues.server.ts > src/wallet/tables.server.ts",
    "features-are-used-through-public-interfaces: src/sales/unlock.server.ts > src/wallet/tables.server.ts",
    "identity-admin-imports-only-earlier-folders: src/identity/admin/users.page.tsx > src/racing/racing.server.ts",
    "identity-imports-only-earlier-folders: src/identity/user.server.ts > src/racing/racing.server.ts",
    "one-importer-of-stripe: src/site/pay.server.ts > node_modules/stripe/index.js",
    "platform-imports-only-earlier-folders: src/platform/notify.server.ts > src/wallet/wallet.server.ts",
    "the-product-does-not-import-tests-or-tools: src/site/home.page.tsx > test/support/factories.ts",
  ]);
});

test("reports tests and benchmarks that import each other", () => {
  plant("test/support/world.ts", "export {};");
  plant("test/slow.test.ts", 'import "../bench/measure.ts"; import "#test/world.ts";');
  plant("src/racing/slow.test.ts", 'import "../../bench/measure.ts";');
  plant("e2e/slow.spec.ts", 'import "../bench/measure.ts";');
  plant("bench/measure.ts", 'import "#test/world.ts"; import "../test/chaos/main.ts";');
  plant("test/chaos/main.ts", "export {};");
  plant("test/support/app.ts", 'import "../chaos/main.ts";');
  expect(violations("test", "e2e", "bench")).toEqual([
    "test-helpers-do-not-import-tests: test/support/app.ts > test/chaos/main.ts",
    "tests-do-not-import-the-benchmark: e2e/slow.spec.ts > bench/measure.ts",
    "tests-do-not-import-the-benchmark: src/racing/slow.test.ts > bench/measure.ts",
    "tests-do-not-import-the-benchmark: test/slow.test.ts > bench/measure.ts",
    "the-benchmark-does-not-import-tests: bench/measure.ts > test/chaos/main.ts",
  ]);
});

test("reports a circular import", () => {
  plant("src/racing/a.server.ts", 'import { b } from "./b.server.ts"; export const a = b;');
  plant("src/racing/b.server.ts", 'import { a } from "./a.server.ts"; export const b = a;');
  expect(violations()).toContain(
    "no-circular-imports: src/racing/a.server.ts > src/racing/b.server.ts",
  );
});
