import { api } from "#api.server.ts";
import { type Endpoint, EndpointList } from "./endpoints.ts";

/**
 * Returns every endpoint of the running application from its route tables, with parameters filled in:
 * one GET and, for routes that accept writes, one POST.
 */
export async function listRunningEndpoints(
  parameters: Record<string, string>,
): Promise<Endpoint[]> {
  const { routes } = await import("virtual:react-router/server-build");
  const pathOf = (id: string | undefined): string[] => {
    const route = id ? routes[id] : undefined;
    return route ? [...pathOf(route.parentId), ...(route.path ? [route.path] : [])] : [];
  };
  const endpoints = new EndpointList(parameters);
  for (const [id, route] of Object.entries(routes))
    if (route && (route.path || route.index))
      endpoints.addPage(`/${pathOf(id).join("/")}`, route.module.action !== undefined);
  for (const { method, path } of api().routes)
    if (method === "GET" || method === "POST") endpoints.add(path, method, "data");
  return endpoints.all();
}
