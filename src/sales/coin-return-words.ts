/** When a race card was opened whose coins are back because its races had been run. */
export const AFTER_RACES = "after the last race, whose off time we did not know then";
