import { redirect } from "react-router";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import type { Route } from "./+types/attention.route.ts";

/** The address of the page before it became a part of Today. */
export async function loader({ context }: Route.LoaderArgs) {
  await requireAdmin(context);
  throw redirect("/admin");
}
