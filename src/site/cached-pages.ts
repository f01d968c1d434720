import { DIALOG_PARAMETERS } from "#ui/dialog-link.tsx";

/** What any page of the frame takes: which dialog opens over it, and that a payment was cancelled. */
const FRAME_PARAMS = [...DIALOG_PARAMETERS, "cancelled"];

/** Pages that are the same for every guest, and the query parameters that change each of them. */
const CACHED_PAGES: Record<string, readonly string[]> = {
  "/": ["venue", "after"],
  "/login": ["mode", "return", "expired"],
  "/contact": [],
  "/help": ["q", "answer"],
  "/how-it-works": [],
  "/racing-tracks": [],
  "/top-analysts": ["kind"],
  "/leaderboard": ["period", "venue", "type", "page"],
  "/terms": [],
  "/terms-of-service": [],
  "/privacy": [],
  "/cookies": [],
  "/responsible-gambling": [],
  "/disclaimer": [],
  "/offline": [],
  "/race-cards/:id": [],
  "/tipsters/:id": ["until"],
  "/tracks/:id": ["before"],
};
const WITH_ID = /^(\/(?:race-cards|tipsters|tracks)\/)[a-z0-9-]+$/;

/**
 * The query parameters that a guest's page at this path depends on; null for a page that is not cached.
 * Only the spelling that our links use is cached: the router also accepts other cases and a final slash,
 * and each would be one more copy of the page.
 */
export function cachedPageParams(path: string): readonly string[] | null {
  const params = CACHED_PAGES[path.replace(WITH_ID, "$1:id")];
  return params ? [...params, ...FRAME_PARAMS] : null;
}
