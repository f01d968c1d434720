// The door of the demo: its world, made through the doors of everything else.
export { refreshDemo, updateDemo } from "./update-demo.server.ts";
