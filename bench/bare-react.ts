// The reference for personalised pages: renders the captured React tree of the home page for each
// request, without session, database, page data or compression.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { ReactElement } from "react";

const [cookie = ""] = process.argv.slice(2);
const reactDomServer = createRequire(import.meta.url)("react-dom/server");
const { renderToString } = reactDomServer;
let tree: ReactElement | undefined;
// Captures the tree that the application renders.
reactDomServer.renderToString = (element: ReactElement) => {
  tree = element;
  return renderToString(element);
};
const application = await import(pathToFileURL(resolve("build/server/index.js")).href);
await application.createApp().request("/", { headers: { cookie } });
if (!tree) throw new Error("home was not rendered");

const app = new Hono();
app.get("*", (c) => c.html(`<!doctype html>${renderToString(tree)}`));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send?.(port));
