import type { Fault } from "./fault.ts";

const PAGES = "src/platform/http/page-cache.test.ts";
const ADMIN_AREA = "src/site/admin/admin-area.test.ts";
const TWO_STEP = "src/identity/two-step/two-step.test.ts";

const pages = {
  area: "platform",
  file: "src/platform/http/page-cache.server.ts",
  tests: [PAGES],
} as const;

export const PLATFORM_FAULTS: Fault[] = [
  {
    ...pages,
    name: "a page whose rendering began before a notice is kept as fresh",
    find: "startedIn === generation ? Date.now()",
    replace: "startedIn <= generation ? Date.now()",
  },
  {
    ...pages,
    name: "a notice leaves cached pages fresh",
    find: "page.freshUntil = 0;\n",
    replace: "page.freshUntil += 0;\n",
  },
  {
    ...pages,
    name: "a page that sets a cookie is cached",
    find: ' && !response.headers.has("Set-Cookie")',
    replace: "",
  },
  {
    ...pages,
    name: "an unknown query parameter makes another copy of a page",
    find: "return known.size > 0 ? `${pathname}?${known}` : pathname;",
    replace: "return pathname + new URL(address).search;",
  },
  {
    ...pages,
    name: "addresses with a query evict other pages",
    find: 'return key.includes("?") ? pagesWithQuery : pages;',
    replace: "return pages;",
  },
  {
    ...pages,
    name: "an injected script is allowed by its hash",
    find: "[^>]*${attribute}[^>]*>",
    replace: "[^>]*>",
  },
  {
    area: "platform",
    name: "a login from another site's way back leads there",
    file: "src/domain/same-site-path.ts",
    find: 'return origin === BASE_ORIGIN && !pathname.startsWith("//") ?',
    replace: "return origin === BASE_ORIGIN ?",
    tests: ["src/domain/same-site-path.test.ts"],
  },
  {
    area: "platform",
    name: "a right code works twice",
    file: "src/identity/two-step/verify-code.server.ts",
    find: "lt(twoStepKeys.lastStep, step)",
    replace: "lt(twoStepKeys.lastStep, step + 1)",
    tests: [TWO_STEP],
  },
  {
    area: "platform",
    name: "the owner hears nothing of wrong codes",
    file: "src/identity/two-step/verify-code.server.ts",
    find: "return count === 5 || count % 25 === 0;",
    replace: "return count === 6 || count % 25 === 0;",
    tests: [TWO_STEP],
  },
  {
    area: "platform",
    name: "the wait after wrong codes does not grow",
    file: "src/platform/rate-limits.server.ts",
    find: "{ maxWaitMs: HOUR_MS, expiresAfterMs: 24 * HOUR_MS }",
    replace: "{ maxWaitMs: MINUTE_MS, expiresAfterMs: 24 * HOUR_MS }",
    tests: [TWO_STEP],
  },
  {
    area: "platform",
    name: "a sixth wrong password is free",
    file: "src/platform/rate-limits.server.ts",
    find: "const FREE_ATTEMPTS = 5;",
    replace: "const FREE_ATTEMPTS = 6;",
    tests: ["src/identity/sign-in/sign-in.test.ts", TWO_STEP],
  },
  {
    area: "platform",
    name: "a search for two words finds either",
    file: "src/platform/query-parts.server.ts",
    find: '.join(" & ")',
    replace: '.join(" | ")',
    tests: ["src/platform/query-parts.test.ts"],
  },
  {
    area: "platform",
    name: "a wildcard in a search means itself no longer",
    file: "src/platform/query-parts.server.ts",
    find: 'text.replace(/[\\\\%_]/g, "\\\\$&")',
    replace: "text",
    tests: ["src/platform/query-parts.test.ts"],
  },
  {
    area: "admin",
    name: "a way back leads anywhere on the site",
    file: "src/admin-kit/run-admin-action.server.ts",
    find: '/^\\/admin(?:[/?#]|$)/.test(back) ? back : "/admin"',
    replace: "back",
    tests: [ADMIN_AREA],
  },
  {
    area: "admin",
    name: "a question returns the typed password",
    file: "src/admin-kit/run-admin-action.server.ts",
    find: ' && name !== "password"',
    replace: "",
    tests: [ADMIN_AREA],
  },
  {
    area: "admin",
    name: "a refused form returns the typed password",
    file: "src/admin-kit/answer-form.server.ts",
    find: ' && name !== "password"',
    replace: "",
    tests: [ADMIN_AREA],
  },
  {
    area: "admin",
    name: "a single retried job is not audited",
    file: "src/site/admin/resolve-failed-jobs.server.ts",
    find: "if (jobs > 0)",
    replace: "if (jobs > 1)",
    tests: ["src/site/admin/admin-actions.test.ts"],
  },
  {
    area: "admin",
    name: "a question is not asked before an action",
    file: "src/admin-kit/run-admin-action.server.ts",
    find: 'if (question && textOf(form, "sure") !== "yes")',
    replace: 'if (question && textOf(form, "sure") === "no")',
    tests: [ADMIN_AREA],
  },
  {
    area: "admin",
    name: "payouts are started without the password",
    file: "src/payouts/admin/run-on-each-payout.server.ts",
    find: 'if (check !== "right") return',
    replace: 'if (check === "busy") return',
    tests: [ADMIN_AREA],
  },
];
