// Public interface of integrity: the invariants, their runs and alerts.
export { checkAllBooks, checkRecentBooks } from "./keep-books.server.ts";
export { type BookFailure, readBooks } from "./read-books.server.ts";
export { type BooksCheck, readLastChecks } from "./read-last-check.server.ts";
