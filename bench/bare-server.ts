// The reference for responses that are the same for everyone: a bare server that sends the same
// bytes from memory.
import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const [file = "", type = "", encoding = ""] = process.argv.slice(2);
const body = readFileSync(file);
const app = new Hono();
app.get("*", (c) =>
  c.body(body, 200, {
    "Content-Type": type,
    "Content-Length": String(body.byteLength),
    ...(encoding ? { "Content-Encoding": encoding } : {}),
  }),
);
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send?.(port));
