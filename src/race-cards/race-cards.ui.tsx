// What is sold, as it looks: the race card under blinkers or open, and the act of opening it.
export { ACCOUNT_TYPES, BANKS, bankDetailsInput } from "./bank-details.input.ts";
export type { OpenAnswer } from "./open-race-card.ts";
export { type PanelRaceCard, RaceCardPanel } from "./race-card-panel.ui.tsx";
export { REFUSAL_WORDS } from "./unlock-refusals.ts";
export { openedWords, unansweredWords } from "./unlock-words.ts";
export { UnlockableRaceCard } from "./unlockable-race-card.ui.tsx";
