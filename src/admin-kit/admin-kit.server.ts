// Public interface of the admin kit for servers: the guard and the runner of admin actions.
export { act, done, refused } from "./act.server.ts";
export { orWrong, saved, wrong } from "./answer-form.server.ts";
export { orProblem, SALES_WORDS, TIPS_WORDS, VENUES_WORDS } from "./or-problem.server.ts";
export { passwordChecks } from "./password-checks.ts";
export { keysOf, readListSearch } from "./read-list-search.server.ts";
export { adminOf, requireAdmin } from "./require-admin.server.ts";
