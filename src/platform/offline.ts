/** Response header: the owner of offline copies in this browser, a session hash or `NO_OWNER`. */
export const OWNER_HEADER = "Offline-Owner";
/** Response header of a page that the service worker may save. */
export const KEEP_HEADER = "Offline-Copy";

/** The owner of a guest's responses. */
export const NO_OWNER = "none";

/** Marks a page as readable offline. Set it only on pages that the viewer has paid for. */
export const readableOffline: Record<string, string> = { [KEEP_HEADER]: "keep" };

export const OFFLINE_PAGE = "/offline";

/** Asks the service worker to save the page of a race card that has just been opened. */
export function saveOpenedRaceCard(raceCardId: string): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.controller?.postMessage({ keep: `/race-cards/${raceCardId}` });
}
