import { startSession } from "#accounts/accounts.server.ts";
import { createApp } from "#server.ts";
import type { Person } from "./factories.ts";

// Sends requests to the whole application in process, as a given user.

const app = createApp();

export type SendRequest = (path: string, init?: RequestInit) => Promise<Response>;

/** Sends a request without a session. */
export const sendAsGuest: SendRequest = async (path, init) => await app.request(path, init);

/** Returns a function that sends requests with a new session of a user. */
export async function createSender(person: Pick<Person, "id">): Promise<SendRequest> {
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

/** Returns the paths of all pages with their parameters filled in. */
export async function listPagePaths(parameters: Record<string, string>): Promise<string[]> {
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
