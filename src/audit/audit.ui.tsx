// Public interface of audit.
export { ACTS, detailsOf, saidOf } from "./audit-words.ts";
