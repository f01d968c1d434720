import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { BUNDLED_PACKAGES } from "./bin/bundled-packages.ts";
import { CHUNK_GROUPS, toModulePattern } from "./bin/chunk-groups.ts";
import { mdxPlugin } from "./bin/mdx-plugin.ts";
import { BUILD_TARGET } from "./bin/supported-browsers.ts";

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
