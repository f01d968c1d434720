// Builds `prepare` of `src/prepare.server.ts` alone. The demo's data can then be created while the application is built.
import { build } from "vite";
import { BUNDLED_PACKAGES } from "./bundled-packages.ts";
import { mdxPlugin } from "./mdx-plugin.ts";
import { PREPARATION_FOLDER } from "./server-build.ts";

await build({
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  plugins: [mdxPlugin],
  ssr: { noExternal: BUNDLED_PACKAGES },
  build: {
    ssr: "src/prepare.server.ts",
    outDir: PREPARATION_FOLDER,
    emptyOutDir: true,
    rollupOptions: { output: { entryFileNames: "index.js" } },
  },
});
