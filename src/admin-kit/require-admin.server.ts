import { type RouterContextProvider, redirect } from "react-router";
import {
  hasSessionCookie,
  requireRole,
  signInPath,
  type Viewer,
  viewerOf,
} from "#identity/identity.server.ts";
import { requestDetailsOf } from "#platform/http/request.server.ts";

type Context = Readonly<RouterContextProvider>;

/** The admin who asks; null for everyone else, whom the front door of the admin area shows its form. */
export async function adminOf(context: Context): Promise<Viewer | null> {
  const viewer = await viewerOf(context);
  return viewer?.roles.includes("admin") ? viewer : null;
}

/**
 * The admin who asks; everyone else is refused. A guest is sent to the front door, or where their session
 * has run out to sign in again, and comes back from either.
 */
export async function requireAdmin(context: Context): Promise<Viewer> {
  if (!(await viewerOf(context))) {
    const { path } = requestDetailsOf(context);
    throw redirect(
      hasSessionCookie(context)
        ? signInPath(path, true)
        : `/admin?return=${encodeURIComponent(path)}`,
    );
  }
  return await requireRole(context, "admin");
}
