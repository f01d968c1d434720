// The door of the demo: its world, made through the doors of everything else.
export { bringDemoUpToDate, keepDemo } from "./bring-demo-up-to-date.server.ts";
