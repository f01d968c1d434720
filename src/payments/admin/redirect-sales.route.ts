import { redirect } from "react-router";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import type { Route } from "./+types/redirect-sales.route.ts";

/** Redirects the former addresses under /admin/sales to /admin/purchases, with the query string. */
export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const url = new URL(request.url);
  const path = url.pathname
    .replace(/^\/admin\/sales/, "/admin/purchases")
    .replace(/\/packages$/, "/coin-packs");
  throw redirect(path + url.search, 301);
}
