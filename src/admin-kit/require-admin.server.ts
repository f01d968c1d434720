import { data, type RouterContextProvider, redirect } from "react-router";
import {
  findViewer,
  hasSessionCookie,
  isAwaitingTwoStep,
  loginPath,
  readTwoStep,
  type Viewer,
} from "#accounts/accounts.server.ts";
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
  const viewer = await findViewer(context);
  if (!viewer) {
    const { path } = getRequestDetails(context);
    throw redirect(
      hasSessionCookie(context)
        ? loginPath(path, true)
        : `/admin?return=${encodeURIComponent(path)}`,
    );
  }
  if (!viewer.roles.includes("admin"))
    throw data("Your account doesn't have access to this.", { status: 403 });
  return viewer;
}

/**
 * Whether a user without the admin role may open the pages of two-step login: an invited admin must
 * turn it on first, and a former admin can turn it off.
 */
export async function mayManageTwoStep(context: Context): Promise<boolean> {
  const viewer = await findViewer(context);
  if (!viewer) return false;
  return (await isAwaitingTwoStep(viewer.id)) || (await readTwoStep(viewer.id)) !== null;
}

/** Returns the viewer if they may open the pages of two-step login; refuses as `requireAdmin`. */
export async function requireTwoStepAccess(context: Context): Promise<Viewer> {
  const viewer = await findViewer(context);
  if (viewer && !viewer.roles.includes("admin") && (await mayManageTwoStep(context))) return viewer;
  return await requireAdmin(context);
}
