import type { AccountMode } from "#identity/identity.ui.tsx";

/** What the account dialog shows, and the race card that its viewer wants to open. */
export type AccountDialogValue = { mode: AccountMode; raceCardId: string | null };

/** Reads the `account` parameter of an address: `sign-in` or `register`, and a race card's id after a colon. */
export function readAccountValue(value: string): AccountDialogValue {
  const [mode, raceCardId = ""] = value.split(":");
  return {
    mode: mode === "register" ? "register" : "sign-in",
    raceCardId: /^[0-9a-f-]{36}$/i.test(raceCardId) ? raceCardId : null,
  };
}

/** Returns the address of the page that shows the same as the account dialog. */
export function accountPage({ mode, raceCardId }: AccountDialogValue): string {
  const search = new URLSearchParams();
  if (mode === "register") search.set("mode", mode);
  if (raceCardId) search.set("return", `/race-cards/${raceCardId}`);
  return search.size > 0 ? `/login?${search}` : "/login";
}
