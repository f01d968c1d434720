import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

// `npm test` checks the layers. These tests verify that the check finds violations.
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "furlong-layers-"));
  const imports = { "#test/*": "./test/support/*", "#demo/*": "./demo/*", "#*": "./src/*" };
  writeFixture("package.json", JSON.stringify({ type: "module", imports }));
  writeFixture(
    "node_modules/stripe/package.json",
    JSON.stringify({ name: "stripe", main: "index.js" }),
  );
  writeFixture("node_modules/stripe/index.js", "");
  writeFixture("src/racing/racing.server.ts", "export const venues = {};");
  writeFixture("src/domain/coins.ts", "export const price = 4;");
  writeFixture("src/wallet/tables.server.ts", "export const wallets = {};");
  writeFixture("src/wallet/wallet.server.ts", 'export { wallets } from "./tables.server.ts";');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function writeFixture(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function findViolations(...folders: string[]): string[] {
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
  writeFixture("src/sales/unlock.server.ts", 'export * from "#wallet/wallet.server.ts";');
  writeFixture("src/ui/coin.tsx", 'export * from "#domain/coins.ts";');
  writeFixture("src/server.ts", 'export * from "#wallet/wallet.server.ts";');
  writeFixture("src/payments/stripe/settings.ts", "export const settings = {};");
  writeFixture("src/platform/env.server.ts", 'import "#payments/stripe/settings.ts";');
  writeFixture("src/wallet/wallet.test.ts", 'import "../server.ts";');
  writeFixture("src/sales/unlock.test.ts", 'import "#wallet/tables.server.ts";');
  writeFixture("src/admin-kit/admin-kit.server.ts", "export const requireAdmin = {};");
  writeFixture("src/accounts/admin/users.page.tsx", 'import "#admin-kit/admin-kit.server.ts";');
  expect(findViolations()).toEqual([]);
});

test("reports a violation of each rule", () => {
  writeFixture("src/domain/track-record.ts", 'export * from "#wallet/wallet.server.ts";');
  writeFixture("src/platform/notify.server.ts", 'export * from "#wallet/wallet.server.ts";');
  writeFixture("src/racing/racing.server.ts", "export const racing = {};");
  writeFixture("src/accounts/user.server.ts", 'export * from "#racing/racing.server.ts";');
  writeFixture("src/sales/unlock.server.ts", 'export * from "#wallet/tables.server.ts";');
  writeFixture(
    "src/racing/venues.server.ts",
    'import type { wallets } from "#wallet/tables.server.ts";',
  );
  writeFixture("src/accounts/admin/users.page.tsx", 'import "#racing/racing.server.ts";');
  writeFixture("src/site/pay.server.ts", 'import "stripe";');
  writeFixture("src/payments/stripe/settings.ts", 'import "#domain/coins.ts";');
  writeFixture("src/platform/env.server.ts", 'import "#wallet/wallet.server.ts";');
  writeFixture("src/site/gone.server.ts", 'import "./never-written.ts";');
  writeFixture("src/proof/timestamps/checkpoint.email.tsx", "export {};");
  writeFixture("src/proof/timestamps/send.server.ts", 'import "./checkpoint.email.tsx";');
  writeFixture("test/support/factories.ts", "export {};");
  writeFixture("src/site/home.page.tsx", 'import "#test/factories.ts";');
  writeFixture("demo/demo.server.ts", 'import "#wallet/tables.server.ts";');
  writeFixture("src/site/site.server.ts", 'import "#demo/demo.server.ts";');
  writeFixture("src/jobs.server.ts", 'import "#demo/demo.server.ts";');
  expect(findViolations("demo")).toEqual([
    "accounts-admin-imports-only-lower-layers: src/accounts/admin/users.page.tsx > src/racing/racing.server.ts",
    "accounts-imports-only-lower-layers: src/accounts/user.server.ts > src/racing/racing.server.ts",
    "domain-imports-only-lower-layers: src/domain/track-record.ts > src/wallet/wallet.server.ts",
    "every-import-resolves: src/site/gone.server.ts > ./never-written.ts",
    "features-are-used-through-public-interfaces: src/racing/venues.server.ts > src/wallet/tables.server.ts",
    "features-are-used-through-public-interfaces: src/sales/unlock.server.ts > src/wallet/tables.server.ts",
    "one-importer-of-stripe: src/site/pay.server.ts > node_modules/stripe/index.js",
    "only-jobs-and-preparation-import-the-demo: src/site/site.server.ts > demo/demo.server.ts",
    "platform-imports-only-lower-layers: src/platform/notify.server.ts > src/wallet/wallet.server.ts",
    "settings-of-payment-providers-import-only-platform: src/payments/stripe/settings.ts > src/domain/coins.ts",
    "the-email-of-a-checkpoint-is-loaded-when-sent: src/proof/timestamps/send.server.ts > src/proof/timestamps/checkpoint.email.tsx",
    "the-environment-imports-only-settings: src/platform/env.server.ts > src/wallet/wallet.server.ts",
    "the-product-does-not-import-tests-or-tools: src/site/home.page.tsx > test/support/factories.ts",
    "tools-use-features-through-public-interfaces: demo/demo.server.ts > src/wallet/tables.server.ts",
  ]);
});

test("reports a command that leads to a screen, which Node cannot load", () => {
  writeFixture("src/site/home.page.tsx", "export {};");
  writeFixture("src/site/site.server.ts", 'import "./home.page.tsx";');
  writeFixture("bin/report.ts", 'import "#site/site.server.ts";');
  expect(findViolations("bin")).toEqual([
    "commands-load-no-screens: bin/report.ts > src/site/home.page.tsx",
  ]);
});

test("reports tests and benchmarks that import each other", () => {
  writeFixture("test/support/world.ts", "export {};");
  writeFixture("test/slow.test.ts", 'import "../bench/measure.ts"; import "#test/world.ts";');
  writeFixture("src/racing/slow.test.ts", 'import "../../bench/measure.ts";');
  writeFixture("e2e/slow.spec.ts", 'import "../bench/measure.ts";');
  writeFixture("bench/measure.ts", 'import "#test/world.ts"; import "../test/chaos/main.ts";');
  writeFixture("test/chaos/main.ts", "export {};");
  writeFixture("test/support/app.ts", 'import "../chaos/main.ts";');
  expect(findViolations("test", "e2e", "bench")).toEqual([
    "test-helpers-do-not-import-tests: test/support/app.ts > test/chaos/main.ts",
    "tests-do-not-import-the-benchmark: e2e/slow.spec.ts > bench/measure.ts",
    "tests-do-not-import-the-benchmark: src/racing/slow.test.ts > bench/measure.ts",
    "tests-do-not-import-the-benchmark: test/slow.test.ts > bench/measure.ts",
    "the-benchmark-does-not-import-tests: bench/measure.ts > test/chaos/main.ts",
  ]);
});

test("reports a circular import", () => {
  writeFixture("src/racing/a.server.ts", 'import { b } from "./b.server.ts"; export const a = b;');
  writeFixture("src/racing/b.server.ts", 'import { a } from "./a.server.ts"; export const b = a;');
  expect(findViolations()).toContain(
    "no-circular-imports: src/racing/a.server.ts > src/racing/b.server.ts",
  );
});
