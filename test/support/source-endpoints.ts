import { readFile } from "node:fs/promises";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import pages from "#routes.ts";
import { type Endpoint, EndpointList } from "./endpoints.ts";

const ACTION = /^export (?:async function|function|const) action\b|^export \{[^}]*\baction\b/m;
const DATA = /\bapp\.(get|post)\((?:("[^"]+")|([A-Z_]+)\b)/g;

/**
 * Returns the same endpoints as `listRunningEndpoints`, parsed from the source, for tests that run
 * against a built application. A test compares both lists.
 */
export async function readSourceEndpoints(parameters: Record<string, string>): Promise<Endpoint[]> {
  const endpoints = new EndpointList(parameters);
  const addPages = async (entries: RouteConfigEntry[], parent: string[]): Promise<void> => {
    for (const { path, index, file, children } of entries) {
      const parts = [...parent, ...(path ? [path] : [])];
      if (path || index) {
        const source = await readFile(`src/${file}`, "utf8");
        endpoints.addPage(`/${parts.join("/")}`, ACTION.test(source));
      }
      await addPages(children ?? [], parts);
    }
  };
  await addPages(await pages, []);
  const source = await readFile("src/api.server.ts", "utf8");
  for (const [, method, path, name] of source.matchAll(DATA)) {
    const named = new RegExp(`^const ${name} = (".+");$`, "m").exec(source)?.[1];
    endpoints.add(JSON.parse(path ?? named ?? '"/"'), method === "get" ? "GET" : "POST", "data");
  }
  return endpoints.all();
}
