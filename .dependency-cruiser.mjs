/**
 * Import rules. A folder may import only folders before it in this order, and features only through
 * their public interfaces: `<feature>.server.ts` and `<feature>.ui.tsx`.
 */
const BASE_LAYERS = ["domain", "ui", "platform"];
const FEATURES = [
  "wallet",
  "accounts",
  "admin-kit",
  "racing",
  "creators",
  "tips",
  "proof",
  "records",
  "sales",
  "payouts",
  "payments",
  "standings",
  "site",
];
const ORDER = [...BASE_LAYERS, ...FEATURES];

/** The only file or folder that may import each of these packages. */
const SDK_IMPORTERS = {
  stripe: "src/payments/stripe/",
  "better-auth": "src/accounts/",
  "pg-boss": "src/platform/queue.server.ts",
  nodemailer: "src/platform/mail/mailer.server.ts",
};

const PUBLIC_INTERFACES = FEATURES.map(
  (name) => `^src/${name}/${name}\\.(server\\.ts|ui\\.tsx)$`,
).join("|");
/** Tests may import any layer, and what they test of any feature. */
const TESTS = "\\.test\\.tsx?$";
/** Admin pages may also import the admin kit, which comes after accounts because it depends on it. */
const ADMIN_PAGES = "^src/[^/]+/admin/";
/** How the payment providers are configured, read with the rest of the environment. They import nothing of payments. */
const PROVIDER_SETTINGS = "^src/payments/[^/]+/settings\\.ts$";
const ENVIRONMENT = "^src/platform/env\\.server\\.ts$";
/** What commands and tests import, because the public interface leads to screens or email templates. */
const IMPORTED_BY_COMMANDS =
  "^src/payments/check-providers\\.server\\.ts$|^src/racing/import/(import-race-days|read-race-day-rows)\\.server\\.ts$";
/** An email that is imported when it is sent, which no command does. */
const LOADED_WHEN_SENT =
  "^src/(proof/timestamps/checkpoint|platform/mail/mail-layout)\\.email\\.tsx$";
const folder = (names) => `^src/(${names.join("|")})/`;

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...ORDER.slice(0, -1).map((name, index) => ({
      name: `${name}-imports-only-lower-layers`,
      severity: "error",
      from: { path: `^src/${name}/`, pathNot: [TESTS, ADMIN_PAGES, ENVIRONMENT] },
      to: { path: [folder(ORDER.slice(index + 1)), "^src/[^/]+$"] },
    })),
    ...ORDER.slice(0, -1).map((name, index) => ({
      name: `${name}-admin-imports-only-lower-layers`,
      severity: "error",
      from: { path: `^src/${name}/admin/`, pathNot: TESTS },
      to: {
        path: [
          folder(ORDER.slice(index + 1).filter((later) => later !== "admin-kit")),
          "^src/[^/]+$",
        ],
      },
    })),
    {
      name: "the-environment-imports-only-settings",
      severity: "error",
      from: { path: ENVIRONMENT },
      to: { path: [folder(FEATURES), "^src/[^/]+$"], pathNot: PROVIDER_SETTINGS },
    },
    {
      name: "settings-of-payment-providers-import-only-platform",
      severity: "error",
      from: { path: PROVIDER_SETTINGS },
      to: { path: "^src/", pathNot: "^src/platform/payment-settings\\.ts$" },
    },
    {
      name: "features-are-used-through-public-interfaces",
      severity: "error",
      from: { path: "^src/([^/]+)/|^src/[^/]+$", pathNot: [ENVIRONMENT, TESTS] },
      to: { path: folder(FEATURES), pathNot: ["^src/$1/", PUBLIC_INTERFACES, "\\.route\\.ts$"] },
    },
    {
      name: "tools-use-features-through-public-interfaces",
      severity: "error",
      from: { path: "^(bin|db|bench|demo)/", pathNot: TESTS },
      to: {
        path: folder(FEATURES),
        pathNot: [PUBLIC_INTERFACES, IMPORTED_BY_COMMANDS, "\\.route\\.ts$"],
      },
    },
    {
      name: "commands-load-no-screens",
      comment: "Node runs the commands from their sources and reads no JSX.",
      severity: "error",
      from: { path: "^bin/", pathNot: TESTS },
      to: { path: "\\.tsx$", pathNot: LOADED_WHEN_SENT, reachable: true },
    },
    {
      name: "the-email-of-a-checkpoint-is-loaded-when-sent",
      severity: "error",
      from: { path: "^src/proof/", pathNot: TESTS },
      to: { path: LOADED_WHEN_SENT, pathNot: "^src/platform/", dynamic: false },
    },
    {
      name: "only-the-route-table-imports-routes",
      severity: "error",
      from: { path: "^src/([^/]+)/" },
      to: { path: "\\.route\\.ts$", pathNot: "^src/$1/|\\+types/" },
    },
    {
      name: "the-product-does-not-import-tests-or-tools",
      severity: "error",
      from: { path: "^(src|demo)/", pathNot: TESTS },
      to: { path: "^(test|e2e|bench|bin)/|\\.test\\.tsx?$" },
    },
    {
      name: "only-jobs-and-preparation-import-the-demo",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(jobs|prepare)\\.server\\.ts$" },
      to: { path: "^demo/" },
    },
    {
      name: "tests-do-not-import-the-benchmark",
      severity: "error",
      from: { path: ["^(test|e2e)/", TESTS] },
      to: { path: "^bench/" },
    },
    {
      name: "the-benchmark-does-not-import-tests",
      severity: "error",
      from: { path: "^bench/" },
      to: { path: ["^e2e/", "^test/(?!support/)", TESTS] },
    },
    {
      name: "test-helpers-do-not-import-tests",
      severity: "error",
      from: { path: "^test/support/", pathNot: TESTS },
      to: { path: ["^e2e/", "^test/(?!support/)", TESTS] },
    },
    {
      name: "no-circular-imports",
      severity: "error",
      from: { path: "^src/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "every-import-resolves",
      severity: "error",
      from: { path: "^src/" },
      to: { couldNotResolve: true, pathNot: "^virtual:|^\\./\\+types/" },
    },
    ...Object.entries(SDK_IMPORTERS).map(([name, path]) => ({
      name: `one-importer-of-${name}`,
      severity: "error",
      from: { path: "^src/", pathNot: `^${path}` },
      to: { path: `^node_modules/${name}/` },
    })),
  ],
  options: {
    // With TypeScript 7 the default parser finds no imports and therefore no violations.
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["node", "import", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".json"],
    },
  },
};
