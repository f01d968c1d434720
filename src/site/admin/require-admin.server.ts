import { type RouterContextProvider, redirect } from "react-router";
import { requireRole, type Viewer, viewerOf } from "#identity/identity.server.ts";

type Context = Readonly<RouterContextProvider>;

/** The admin who asks; null for everyone else, whom the front door of the admin area shows its form. */
export async function adminOf(context: Context): Promise<Viewer | null> {
  const viewer = await viewerOf(context);
  return viewer?.roles.includes("admin") ? viewer : null;
}

/** The admin who asks; a guest is sent to the front door, everyone else is refused. */
export async function requireAdmin(context: Context): Promise<Viewer> {
  if (!(await viewerOf(context))) throw redirect("/admin");
  return await requireRole(context, "admin");
}
