// Public interface of the demo: its data, created through the public interfaces of the features.
export { refreshDemo, updateDemo } from "./update-demo.server.ts";
