import type { Mutant } from "./mutant.ts";

const PAGES = "src/platform/http/page-cache.test.ts";
const ADMIN_AREA = "src/site/admin/admin-area.test.ts";
const TWO_STEP = "src/identity/two-step/two-step.test.ts";

const pages = {
  area: "platform",
  file: "src/platform/http/page-cache.server.ts",
  tests: [PAGES],
} as const;

export const PLATFORM_MUTANTS: Mutant[] = [
  {
    ...pages,
    name: "marks a page as fresh that was rendered before an invalidation",
    find: "generationAtStart === generation ? Date.now()",
    replace: "generationAtStart <= generation ? Date.now()",
  },
  {
    ...pages,
    name: "does not invalidate cached pages on a notice",
    find: "page.freshUntil = 0;\n",
    replace: "page.freshUntil += 0;\n",
  },
  {
    ...pages,
    name: "caches a page that sets a cookie",
    find: ' && !response.headers.has("Set-Cookie")',
    replace: "",
  },
  {
    ...pages,
    name: "caches one copy per unknown query parameter",
    find: "return cacheParams.size > 0 ? `${pathname}?${cacheParams}` : pathname;",
    replace: "return pathname + new URL(address).search;",
  },
  {
    ...pages,
    name: "URLs with a query evict other pages",
    find: 'return key.includes("?") ? pagesWithQuery : pages;',
    replace: "return pages;",
  },
  {
    ...pages,
    name: "allows an injected script by its hash",
    find: "[^>]*${attribute}[^>]*>",
    replace: "[^>]*>",
  },
  {
    area: "platform",
    name: "accepts another site as the return URL of a login",
    file: "src/domain/same-site-path.ts",
    find: 'return origin === BASE_ORIGIN && !pathname.startsWith("//") ?',
    replace: "return origin === BASE_ORIGIN ?",
    tests: ["src/domain/same-site-path.test.ts"],
  },
  {
    area: "platform",
    name: "accepts a login code twice",
    file: "src/identity/two-step/verify-code.server.ts",
    find: "lt(twoStepKeys.lastStep, step)",
    replace: "lt(twoStepKeys.lastStep, step + 1)",
    tests: [TWO_STEP],
  },
  {
    area: "platform",
    name: "does not notify the account owner of wrong codes",
    file: "src/identity/two-step/verify-code.server.ts",
    find: "return count === 5 || count % 25 === 0;",
    replace: "return count === 6 || count % 25 === 0;",
    tests: [TWO_STEP],
  },
  {
    area: "platform",
    name: "does not increase the delay after wrong codes",
    file: "src/platform/rate-limits.server.ts",
    find: "{ maxWaitMs: HOUR_MS, expiresAfterMs: 24 * HOUR_MS }",
    replace: "{ maxWaitMs: MINUTE_MS, expiresAfterMs: 24 * HOUR_MS }",
    tests: [TWO_STEP],
  },
  {
    area: "platform",
    name: "does not limit a sixth wrong password",
    file: "src/platform/rate-limits.server.ts",
    find: "const FREE_ATTEMPTS = 5;",
    replace: "const FREE_ATTEMPTS = 6;",
    tests: ["src/identity/sign-in/sign-in.test.ts", TWO_STEP],
  },
  {
    area: "platform",
    name: "a search for two words matches either word",
    file: "src/platform/query-parts.server.ts",
    find: '.join(" & ")',
    replace: '.join(" | ")',
    tests: ["src/platform/query-parts.test.ts"],
  },
  {
    area: "platform",
    name: "does not escape wildcards in a search",
    file: "src/platform/query-parts.server.ts",
    find: 'text.replace(/[\\\\%_]/g, "\\\\$&")',
    replace: "text",
    tests: ["src/platform/query-parts.test.ts"],
  },
  {
    area: "admin",
    name: "accepts any path of the site as a return URL",
    file: "src/admin-kit/run-admin-action.server.ts",
    find: '/^\\/admin(?:[/?#]|$)/.test(returnPath) ? returnPath : "/admin"',
    replace: "returnPath",
    tests: [ADMIN_AREA],
  },
  {
    area: "admin",
    name: "a confirmation page returns the submitted password",
    file: "src/admin-kit/run-admin-action.server.ts",
    find: ' && name !== "password"',
    replace: "",
    tests: [ADMIN_AREA],
  },
  {
    area: "admin",
    name: "a rejected form returns the submitted password",
    file: "src/admin-kit/admin-form-response.server.ts",
    find: ' && name !== "password"',
    replace: "",
    tests: [ADMIN_AREA],
  },
  {
    area: "admin",
    name: "does not audit a retry of a single job",
    file: "src/site/admin/resolve-failed-jobs.server.ts",
    find: "if (jobs > 0)",
    replace: "if (jobs > 1)",
    tests: ["src/site/admin/admin-actions.test.ts"],
  },
  {
    area: "admin",
    name: "runs an action without a confirmation",
    file: "src/admin-kit/run-admin-action.server.ts",
    find: 'if (confirmation && readField(form, "sure") !== "yes")',
    replace: 'if (confirmation && readField(form, "sure") === "no")',
    tests: [ADMIN_AREA],
  },
  {
    area: "admin",
    name: "starts payouts without the password",
    file: "src/payouts/admin/run-on-each-payout.server.ts",
    find: 'if (passwordCheck !== "right") return',
    replace: 'if (passwordCheck === "busy") return',
    tests: [ADMIN_AREA],
  },
];
