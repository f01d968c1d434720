// The door of the pages that only compose: the one thing of theirs that runs by itself.
export { forgetWhatIsOld } from "./forget-what-is-old.server.ts";
