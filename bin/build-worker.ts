import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { BUILD_TARGET } from "./supported-browsers.ts";

const CLIENT = "build/client";
/** The ids of the routes that are available offline. */
const OFFLINE_ROUTES = ["root", "site-layout", "sales/race-card.page", "sales/my-cards.page"];

type RouteFiles = { module: string; imports?: string[]; css?: string[] };
type Manifest = { entry: RouteFiles; routes: Record<string, RouteFiles> };

/**
 * Builds the service worker and its precache list: the files of the pages that are available
 * offline, and the offline page.
 */
export async function buildWorker(): Promise<void> {
  const assets = readdirSync(join(CLIENT, "assets"));
  const manifest = readManifest(assets);
  const pages = [manifest.entry, ...OFFLINE_ROUTES.map((id) => manifest.routes[id])];
  const urls = pages.flatMap((page) => {
    if (!page) throw new Error("An offline route is not in the router's manifest.");
    return [page.module, ...(page.imports ?? []), ...(page.css ?? [])];
  });
  const sharedAssets = assets.filter((name) => /^manifest-|\.woff2$/.test(name));
  const paths = [
    ...urls.map((url) => url.replace(/#.*/, "")),
    ...sharedAssets.map((name) => `/assets/${name}`),
  ];
  const files = [...new Set(paths)].sort();
  const revision = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 12);
  await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    define: {
      PRECACHED_FILES: JSON.stringify([
        // Without a revision, because the file names contain a content hash.
        ...files.map((url) => ({ url, revision: null })),
        { url: "/offline", revision },
      ]),
      "process.env.NODE_ENV": '"production"',
    },
    build: {
      outDir: CLIENT,
      target: BUILD_TARGET,
      emptyOutDir: false,
      copyPublicDir: false,
      rollupOptions: {
        input: "src/site/offline/service-worker.ts",
        output: { format: "iife", entryFileNames: "service-worker.js" },
      },
    },
  });
}

function readManifest(assets: string[]): Manifest {
  const name = assets.find((asset) => /^manifest-\w+\.js$/.test(asset));
  if (!name) throw new Error("The router wrote no manifest.");
  const text = readFileSync(join(CLIENT, "assets", name), "utf8");
  return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
}
