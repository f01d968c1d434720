import type { AccountMode } from "#accounts/accounts.ui.tsx";
import { isId } from "#domain/id.ts";

/** The form that the account dialog shows, and the race card to open after sign-in. */
export type AccountDialogValue = {
  mode: AccountMode;
  raceCardId: string | null;
  /** The session ended while the viewer opened a race card. */
  isExpired?: boolean;
};

/**
 * Parses the `account` query parameter: `sign-in` or `register`, optionally followed by `:` and a
 * race card id, and by `:expired`.
 */
export function parseAccountValue(value: string): AccountDialogValue {
  const [mode, raceCardId = "", note] = value.split(":");
  return {
    mode: mode === "register" ? "register" : "sign-in",
    raceCardId: isId(raceCardId) ? raceCardId : null,
    isExpired: note === "expired",
  };
}

/** Returns the URL of the page that is equivalent to the account dialog. */
export function buildAccountPagePath({ mode, raceCardId }: AccountDialogValue): string {
  const search = new URLSearchParams();
  if (mode === "register") search.set("mode", mode);
  if (raceCardId) search.set("return", `/race-cards/${raceCardId}`);
  return search.size > 0 ? `/login?${search}` : "/login";
}
