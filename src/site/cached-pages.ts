import { CANCELLED_PARAMETER, PAID_PARAMETER } from "#payments/payments.ui.tsx";
import { DIALOG_PARAMETERS } from "#ui/dialog-link.tsx";
import { LIST_PARAMETERS } from "./home/list-filter.ts";
import { TIPS_PARAMS } from "./tipsters/tips-path.ts";

/**
 * Query parameters that every page in the site layout accepts: dialogs and the notice after a payment.
 */
const LAYOUT_PARAMS = [...DIALOG_PARAMETERS, CANCELLED_PARAMETER, PAID_PARAMETER];

/** Pages that are identical for all guests, with the query parameters that they depend on. */
const CACHED_PAGES: Record<string, readonly string[]> = {
  "/": LIST_PARAMETERS,
  "/login": ["mode", "return", "expired"],
  "/contact": [],
  "/help": ["q", "answer"],
  "/how-it-works": [],
  "/rules": [],
  "/proof": [],
  "/records": [],
  "/racing-tracks": [],
  "/top-analysts": ["kind"],
  "/leaderboard": ["period", "venue", "type", "order", "page"],
  "/terms": [],
  "/terms-of-service": [],
  "/privacy": [],
  "/cookies": [],
  "/responsible-gambling": [],
  "/disclaimer": [],
  "/offline": [],
  "/race-cards/:id": [],
  "/tipsters/:id": [],
  "/tipsters/:id/tips": TIPS_PARAMS,
  "/tracks/:id": ["before"],
  "/results": [],
  "/results/:id": [],
};
const PATH_WITH_ID = /^(\/(?:race-cards|tipsters|tracks|results)\/)[a-z0-9-]+(\/tips)?$/;

/**
 * Returns the query parameters that a guest's page depends on, or null if the page is not cached.
 * Other spellings that the router accepts (upper case, a trailing slash) are not cached, to limit
 * the copies.
 */
export function cachedPageParams(path: string): readonly string[] | null {
  const params = CACHED_PAGES[path.replace(PATH_WITH_ID, "$1:id$2")];
  return params ? [...params, ...LAYOUT_PARAMS] : null;
}
