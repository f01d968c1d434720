// The door of the books: what is always true of them, and the jobs that see to it.
export { checkAllBooks, checkRecentBooks } from "./keep-books.server.ts";
export { type BookFailure, readBooks } from "./read-books.server.ts";
export { type BooksCheck, readLastChecks } from "./read-last-check.server.ts";
