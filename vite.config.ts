import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { BUILD_TARGET } from "./bin/supported-browsers.ts";

/**
 * A first visit asks for three scripts in place of fifty: what never changes between releases, the
 * frame, and home. All that is only needed later stays in pieces of its own.
 */
const chunks = [
  {
    name: "router",
    test: /node_modules[\\/](react|react-dom|react-router|scheduler|cookie|set-cookie-parser)[\\/]/,
    priority: 3,
  },
  { name: "frame", test: /src[\\/](root|site[\\/]frame[\\/]frame\.layout)\.tsx/, priority: 2 },
  { name: "home", test: /src[\\/]site[\\/]home[\\/]home\.page\.tsx/, priority: 1 },
];

/** Of these the server needs little: the little is built in, so that a process starts sooner. */
const TAKEN_IN = [
  /^@react-email\//,
  "lucide-react",
  /^@?better-auth(\/|$)/,
  /^better-call(\/|$)/,
  /^@better-fetch\//,
  /^drizzle-orm(\/|$)/,
  /^stripe(\/|$)/,
  /^zod(\/|$)/,
  /^jose(\/|$)/,
  /^@opentelemetry\//,
  /^@noble\//,
];

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter()],
  build: { assetsInlineLimit: 0, sourcemap: false },
  environments: {
    client: {
      build: {
        target: BUILD_TARGET,
        cssTarget: BUILD_TARGET,
        rollupOptions: { output: { codeSplitting: { groups: chunks } } },
      },
    },
    ssr: {
      build: { rollupOptions: { input: "./src/server.ts" } },
      resolve: { noExternal: command === "build" ? TAKEN_IN : [] },
    },
  },
}));
