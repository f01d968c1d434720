import { postToServiceWorker } from "./browser-features.ts";

/** Response header: the owner of offline copies in this browser, a session hash or `NO_OWNER`. */
export const OWNER_HEADER = "Offline-Owner";
/** Response header of a page that the service worker may save. */
export const COPY_HEADER = "Offline-Copy";

/** The owner of a guest's responses. */
export const NO_OWNER = "none";

/**
 * The header of a page that is saved for offline reading. Must only be sent for pages that the viewer has
 * paid for.
 */
export const OFFLINE_COPY_HEADERS: Record<string, string> = { [COPY_HEADER]: "keep" };

/** The name of the cache with the offline copies. */
export const COPIES_CACHE = "copies";

export const OFFLINE_PAGE = "/offline";

/** The page with the viewer's opened race cards of today. */
export const MY_DAY_PATH = "/my-day";

/** Makes the service worker save the pages that show a race card that has just been opened. */
export function saveOpenedRaceCard(raceCardId: string): void {
  postToServiceWorker({ keep: `/race-cards/${raceCardId}` });
  postToServiceWorker({ keep: MY_DAY_PATH });
}
