import { api } from "../../src/api.server.ts";

export type Address = { path: string; method: "GET" | "POST"; kind: "page" | "data" };

/** What the demo's stand-in for the payment provider answers: whoever comes to it plays the provider. */
const STAND_IN = /^\/(v1|demo\/checkout)\//;
/** Never ends by itself. */
const STREAMS = ["/events/leaderboard"];

/**
 * Every address the product has, read from its own list of pages and of what answers data, with what
 * stands for its parameters: one for reading and, where it takes anything, one for writing.
 */
export async function everyAddress(parameters: Record<string, string>): Promise<Address[]> {
  const { routes } = await import("virtual:react-router/server-build");
  const pathOf = (id: string | undefined): string[] => {
    const route = id ? routes[id] : undefined;
    return route ? [...pathOf(route.parentId), ...(route.path ? [route.path] : [])] : [];
  };
  const filled = (path: string) =>
    path.replace(/:(\w+)\??/g, (_whole, name: string) => parameters[name] ?? "unknown");
  const found = new Map<string, Address>();
  const add = (address: Address) => {
    if (!STAND_IN.test(address.path) && !STREAMS.includes(address.path))
      found.set(`${address.method} ${address.path}`, address);
  };
  for (const [id, route] of Object.entries(routes)) {
    if (!route || (!route.path && !route.index)) continue;
    const path = filled(`/${pathOf(id).join("/")}`).replace("*", "nowhere/at-all");
    add({ path, method: "GET", kind: "page" });
    if (route.module.action) add({ path, method: "POST", kind: "page" });
  }
  for (const { method, path } of api().routes)
    if (method === "GET" || method === "POST") add({ path: filled(path), method, kind: "data" });
  return [...found.values()];
}

/** The address at which a browser with scripts asks for a page's data, or sends its form. */
export function dataOf(path: string): string {
  const [page = "", query] = path.split("?");
  return `${page === "/" ? "/_root" : page}.data${query ? `?${query}` : ""}`;
}
