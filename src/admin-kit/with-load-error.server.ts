import {
  errorCode,
  hasUnsupportedCharacters,
  isDatabaseUnavailable,
} from "#platform/database.server.ts";
import { log } from "#platform/log.server.ts";

const UNDEFINED_TABLE = "42P01";

type Words = {
  /** When the table is missing. */
  missing: string;
  /** The prefix of an error message from PostgreSQL. */
  failed: string;
  /** For errors without an SQLSTATE. */
  unexpected: string;
};

/** The command that brings the schema up to date. */
const BRING_UP_TO_DATE = "Please run npm start, which brings the PostgreSQL database up to date.";

export const SALES_ERROR_MESSAGE: Words = {
  missing: `Database table 'coin_purchases' not found. ${BRING_UP_TO_DATE}`,
  failed: "Database error",
  unexpected: "Failed to load sales data. Please check the console for details.",
};

export const VENUES_ERROR_MESSAGE: Words = {
  missing: `Venues table not found. ${BRING_UP_TO_DATE}`,
  failed: "Failed to load venues",
  unexpected: "Failed to load venues. Please check the console for details.",
};

export const TIPS_ERROR_MESSAGE: Words = {
  missing: `Tips table not found. ${BRING_UP_TO_DATE}`,
  failed: "Failed to load tips",
  unexpected: "Failed to load tips. Please check the console for details.",
};

/**
 * Returns the result, or a message with the database error, which admins may see. Rethrows a
 * database outage, for which every page has its own response, and unsupported characters.
 */
export async function withLoadError<Result>(
  work: Promise<Result>,
  words: Words,
): Promise<{ result: Result; problem: null } | { result: null; problem: string }> {
  try {
    return { result: await work, problem: null };
  } catch (error) {
    if (isDatabaseUnavailable(error) || hasUnsupportedCharacters(error)) throw error;
    log.error({ error }, words.failed);
    return { result: null, problem: problemOf(error, words) };
  }
}

function problemOf(error: unknown, words: Words): string {
  const code = errorCode(error);
  if (code === UNDEFINED_TABLE) return words.missing;
  return code?.length === 5 ? `${words.failed}: ${said(error)}` : words.unexpected;
}

/** Returns the message of a failed write: `what`, then the innermost error or 'Unknown error'. */
export function failureOf(what: string, error: unknown): string {
  return `${what}: ${said(error) || "Unknown error"}`;
}

/** Returns the message of the innermost cause, which is the database error. */
function said(error: unknown): string {
  let message = "";
  for (let each = error; each instanceof Error; each = each.cause) message = each.message;
  return message || "Unknown error";
}
