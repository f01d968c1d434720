import { type ActionFunctionArgs, data, type ServerBuild } from "react-router";
import { OVERLOADED } from "#platform/busy-message.ts";
import {
  hasUnsupportedCharacters,
  isDatabaseOverloaded,
  isDatabaseUnavailable,
} from "#platform/database.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { REFUSALS } from "./refusals.ts";
import { getRequestDetails } from "./request.server.ts";

type RouteModule = NonNullable<ServerBuild["routes"][string]>["module"];

/**
 * Wraps all loaders and actions so that an unavailable or overloaded database results in a 503 page, and text
 * with unsupported characters in a 400 page. Actions do not run for a request that is refused.
 */
export function withErrorPages(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => [
    id,
    route && { ...route, module: wrapModule(route.module) },
  ]);
  return { ...build, routes: Object.fromEntries(routes) };
}

function wrapModule(module: RouteModule): RouteModule {
  return {
    ...module,
    ...(module.loader ? { loader: wrapHandler(module.loader) } : {}),
    action: wrapAction(module.action),
  };
}

/** Also gives an action to routes that have none, so that a refused form always gets the refusal's page. */
function wrapAction(action: RouteModule["action"]) {
  return wrapHandler((args: ActionFunctionArgs) => {
    const { refusal } = getRequestDetails(args.context);
    if (refusal) throw data(null, REFUSALS[refusal]);
    if (!action) throw data(null, { status: 405, statusText: "Method Not Allowed" });
    return action(args);
  });
}

function wrapHandler<Args extends unknown[], Result>(handler: (...args: Args) => Result) {
  return async (...args: Args): Promise<Awaited<Result>> => {
    try {
      return await handler(...args);
    } catch (error) {
      if (hasUnsupportedCharacters(error))
        throw data(null, { status: 400, statusText: "Bad Request" });
      if (!isDatabaseUnavailable(error)) throw error;
      logFailure("warn", { error }, "page failed");
      const statusText = isDatabaseOverloaded(error) ? OVERLOADED : "Service Unavailable";
      throw data(null, { status: 503, statusText });
    }
  };
}
