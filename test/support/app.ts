import { startSession } from "#identity/identity.server.ts";
import { createApp } from "#server.ts";
import type { Person } from "./cast.ts";

// The whole product as a function from request to answer, asked as a certain person.

const app = createApp();

export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** Asks as somebody who is not signed in. */
export const asGuest: Ask = async (path, init) => await app.request(path, init);

/** Asks with the session of a person, begun now. */
export async function as(person: Pick<Person, "id">): Promise<Ask> {
  const cookies = (await startSession(person.id))
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(";")))
    .join("; ");
  return async (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("Cookie", cookies);
    return await app.request(path, { ...init, headers });
  };
}

/** The addresses of every page, with what stands for its parameters. */
export async function pagePaths(parameters: Record<string, string>): Promise<string[]> {
  const { routes } = await import("virtual:react-router/server-build");
  const pathOf = (id: string | undefined): string[] => {
    const route = id ? routes[id] : undefined;
    return route ? [...pathOf(route.parentId), ...(route.path ? [route.path] : [])] : [];
  };
  const paths = Object.keys(routes).map((id) => `/${pathOf(id).join("/")}`);
  return [...new Set(paths)]
    .filter((path) => !path.includes("*"))
    .map((path) =>
      path.replace(/:(\w+)\??/g, (whole, name: string) => parameters[name] ?? `unknown${whole}`),
    );
}
