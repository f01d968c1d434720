import {
  errorCode,
  hasUnsupportedCharacters,
  isDatabaseUnavailable,
} from "#platform/database.server.ts";
import { readInnermostMessage } from "#platform/failure-message.server.ts";
import { log } from "#platform/log.server.ts";

const UNDEFINED_TABLE = "42P01";

type LoadErrorMessages = {
  /** When the table is missing. */
  tableMissing: string;
  /** The prefix of an error message from PostgreSQL. */
  databaseErrorPrefix: string;
  /** For errors without an SQLSTATE. */
  unexpected: string;
};

/** The command that brings the schema up to date. */
const UPDATE_HINT = "Please run npm start, which brings the PostgreSQL database up to date.";

export const SALES_ERROR_MESSAGES: LoadErrorMessages = {
  tableMissing: `Database table 'coin_purchases' not found. ${UPDATE_HINT}`,
  databaseErrorPrefix: "Database error",
  unexpected: "Failed to load sales data. Please check the console for details.",
};

export const VENUES_ERROR_MESSAGES: LoadErrorMessages = {
  tableMissing: `Venues table not found. ${UPDATE_HINT}`,
  databaseErrorPrefix: "Failed to load venues",
  unexpected: "Failed to load venues. Please check the console for details.",
};

export const TIPS_ERROR_MESSAGES: LoadErrorMessages = {
  tableMissing: `Tips table not found. ${UPDATE_HINT}`,
  databaseErrorPrefix: "Failed to load tips",
  unexpected: "Failed to load tips. Please check the console for details.",
};

/**
 * Returns the result, or a message with the database error, which admins may see. Rethrows a
 * database outage, for which every page has its own response, and unsupported characters.
 */
export async function withLoadError<Result>(
  work: Promise<Result>,
  messages: LoadErrorMessages,
): Promise<{ result: Result; errorMessage: null } | { result: null; errorMessage: string }> {
  try {
    return { result: await work, errorMessage: null };
  } catch (error) {
    if (isDatabaseUnavailable(error) || hasUnsupportedCharacters(error)) throw error;
    log.error({ error }, messages.databaseErrorPrefix);
    return { result: null, errorMessage: toLoadErrorMessage(error, messages) };
  }
}

function toLoadErrorMessage(error: unknown, messages: LoadErrorMessages): string {
  const code = errorCode(error);
  if (code === UNDEFINED_TABLE) return messages.tableMissing;
  return code?.length === 5
    ? `${messages.databaseErrorPrefix}: ${readInnermostMessage(error)}`
    : messages.unexpected;
}
