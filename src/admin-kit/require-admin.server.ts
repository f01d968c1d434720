import { type RouterContextProvider, redirect } from "react-router";
import {
  findViewer,
  hasSessionCookie,
  requireRole,
  signInPath,
  type Viewer,
} from "#identity/identity.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";

type Context = Readonly<RouterContextProvider>;

/** Returns the signed-in admin, or null, for which the admin area shows its sign-in form. */
export async function readAdmin(context: Context): Promise<Viewer | null> {
  const viewer = await findViewer(context);
  return viewer?.roles.includes("admin") ? viewer : null;
}

/**
 * Returns the signed-in admin. Throws a redirect for guests: to the admin sign-in form, or to the
 * sign-in page when their session has expired; both return to the requested page. Refuses other
 * roles.
 */
export async function requireAdmin(context: Context): Promise<Viewer> {
  if (!(await findViewer(context))) {
    const { path } = getRequestDetails(context);
    throw redirect(
      hasSessionCookie(context)
        ? signInPath(path, true)
        : `/admin?return=${encodeURIComponent(path)}`,
    );
  }
  return await requireRole(context, "admin");
}
