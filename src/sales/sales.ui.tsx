// Public interface of sales for pages: the race card panel and the unlock action.
export type { OpenAnswer } from "./open-race-card.ts";
export { type PanelRaceCard, RaceCardPanel } from "./race-card-panel.ui.tsx";
export { UNLOCK_REFUSAL_MESSAGES } from "./unlock-refusals.ts";
export { noResponseMessage, openedMessage } from "./unlock-words.ts";
export { UnlockableRaceCard } from "./unlockable-race-card.ui.tsx";
