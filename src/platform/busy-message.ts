/** Message of a request that was refused because the server has too much to do. */
export const SERVER_BUSY_MESSAGE = "We are very busy right now. Please try again in a few seconds.";

/** Status text of a 503 whose cause is not an outage of the database: every connection was in use. */
export const OVERLOADED = "Overloaded";
