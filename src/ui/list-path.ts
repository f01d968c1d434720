/**
 * The page with the race cards on sale. The parameter keeps it from opening as My day for viewers who have opened a race
 * card for today.
 */
export const LIST_PATH = "/?sort=soonest";
