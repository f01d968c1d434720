// The reference for pages: a bare server that sends the same bytes from memory.
import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const [file = "", encoding = "br"] = process.argv.slice(2);
const body = readFileSync(file);
const app = new Hono();
app.get("*", (c) =>
  c.body(body, 200, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Encoding": encoding,
    "Content-Length": String(body.byteLength),
  }),
);
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send?.(port));
