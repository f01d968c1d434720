/**
 * Who may import whom. A folder imports only those before it in this order, and a feature only
 * through its doors: `<feature>.server.ts` and `<feature>.ui.tsx`.
 */
const GROUND = ["domain", "ui", "platform"];
const FEATURES = [
  "wallet",
  "identity",
  "racing",
  "tipping",
  "race-cards",
  "payments",
  "leaderboard",
  "books",
  "site",
  "demo",
];
const ORDER = [...GROUND, ...FEATURES];

/** The one file that may speak to each of these packages. */
const SPOKESMEN = {
  stripe: "src/payments/",
  "better-auth": "src/identity/",
  "pg-boss": "src/platform/queue.server.ts",
  nodemailer: "src/platform/mailer.server.ts",
};

const DOORS = FEATURES.map((name) => `^src/${name}/${name}\\.(server\\.ts|ui\\.tsx)$`).join("|");
/** A test may ask the whole app; it too enters features through their doors. */
const TESTS = "\\.test\\.tsx?$";
const folder = (names) => `^src/(${names.join("|")})/`;

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...ORDER.slice(0, -1).map((name, index) => ({
      name: `${name}-knows-only-what-comes-before-it`,
      severity: "error",
      from: { path: `^src/${name}/`, pathNot: TESTS },
      to: { path: [folder(ORDER.slice(index + 1)), "^src/[^/]+$"] },
    })),
    {
      name: "a-feature-is-entered-through-its-doors",
      severity: "error",
      from: { path: "^src/([^/]+)/|^src/[^/]+$|^(bin|db|bench|e2e)/" },
      to: {
        path: folder(FEATURES),
        pathNot: ["^src/$1/", DOORS, "\\.route\\.ts$"],
      },
    },
    {
      name: "only-the-table-of-addresses-knows-routes",
      severity: "error",
      from: { path: "^src/([^/]+)/" },
      to: { path: "\\.route\\.ts$", pathNot: "^src/$1/|\\+types/" },
    },
    {
      name: "the-product-knows-nothing-of-its-tests-and-tools",
      severity: "error",
      from: { path: "^src/", pathNot: TESTS },
      to: { path: "^(test|e2e|bench|bin)/|\\.test\\.tsx?$" },
    },
    {
      name: "no-circles",
      severity: "error",
      from: { path: "^src/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "nothing-is-imported-that-is-not-there",
      severity: "error",
      from: { path: "^src/" },
      to: { couldNotResolve: true, pathNot: "^virtual:|^\\./\\+types/" },
    },
    ...Object.entries(SPOKESMEN).map(([name, path]) => ({
      name: `one-importer-of-${name}`,
      severity: "error",
      from: { path: "^src/", pathNot: `^${path}` },
      to: { path: `^node_modules/${name}/` },
    })),
  ],
  options: {
    // The TypeScript parser reads nothing with TypeScript 7, and would call that clean.
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["node", "import", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".json"],
    },
  },
};
