import { data, type ServerBuild } from "react-router";
import { hasUnsupportedCharacters, isDatabaseUnavailable } from "#platform/database.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";

type RouteModule = NonNullable<ServerBuild["routes"][string]>["module"];

/**
 * The pages as they are, whose loaders and actions answer a database that is away with a 503: the page
 * says so in words, and nobody takes it for a fault of what they did. A text that cannot be kept is one,
 * and is answered with a 400.
 */
export function withDatabaseOutagePages(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => [
    id,
    route && { ...route, module: withTelling(route.module) },
  ]);
  return { ...build, routes: Object.fromEntries(routes) };
}

function withTelling(module: RouteModule): RouteModule {
  return {
    ...module,
    ...(module.loader ? { loader: telling(module.loader) } : {}),
    ...(module.action ? { action: telling(module.action) } : {}),
  };
}

function telling<Args extends unknown[], Result>(work: (...args: Args) => Result) {
  return async (...args: Args): Promise<Awaited<Result>> => {
    try {
      return await work(...args);
    } catch (error) {
      if (hasUnsupportedCharacters(error))
        throw data(null, { status: 400, statusText: "Bad Request" });
      if (!isDatabaseUnavailable(error)) throw error;
      logFailure("warn", { error }, "page failed");
      throw data(null, { status: 503, statusText: "Service Unavailable" });
    }
  };
}
