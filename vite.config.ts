import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { CHUNK_GROUPS, toModulePattern } from "./bin/chunk-groups.ts";
import { mdxPlugin } from "./bin/mdx-plugin.ts";
import { BUILD_TARGET } from "./bin/supported-browsers.ts";

/** Packages that the server build bundles, because a process starts faster without loading them whole. */
const BUNDLED_PACKAGES = [
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
  plugins: [mdxPlugin, tailwindcss(), reactRouter()],
  build: { assetsInlineLimit: 0, sourcemap: false },
  environments: {
    client: {
      build: {
        target: BUILD_TARGET,
        cssTarget: BUILD_TARGET,
        rollupOptions: {
          output: {
            codeSplitting: {
              groups: CHUNK_GROUPS.map((group) => ({
                name: group.name,
                priority: group.priority,
                test: toModulePattern(group),
              })),
            },
          },
        },
      },
    },
    ssr: {
      build: { rollupOptions: { input: "./src/server.ts" } },
      resolve: { noExternal: command === "build" ? BUNDLED_PACKAGES : [] },
    },
  },
}));
