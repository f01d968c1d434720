import { type RouterContextProvider, redirect } from "react-router";
import {
  findViewer,
  findViewerByRequest,
  hasSessionCookie,
  loginPath,
  type Viewer,
} from "#accounts/accounts.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { type Creator, findCreator } from "./creator.server.ts";
import { readInvitation } from "./invitations/invitations.server.ts";

/**
 * Returns the signed-in creator. Redirects guests and users without the role to the tipster login,
 * and invited users to their invitation. Also admits suspended creators, who may see their earnings
 * and details; each action that they may not perform must check the suspension itself.
 */
export async function requireCreator(context: Readonly<RouterContextProvider>): Promise<Creator> {
  const viewer = await findViewer(context);
  if (!viewer) throw redirect(loginFormFor(context));
  const creator = await creatorOfViewer(viewer);
  if (creator) return creator;
  throw redirect((await readInvitation(viewer.id)) ? "/tipster-invitation" : "/tipster-auth");
}

/**
 * Returns the tipster login page or, if the session has expired, the login page with this page as
 * return target.
 */
function loginFormFor(context: Readonly<RouterContextProvider>): string {
  const path = getRequestDetails(context).path.replace(/\/batch-day$/, "/add");
  const isDashboardPath = path.startsWith("/tipster-dashboard/");
  return isDashboardPath && hasSessionCookie(context) ? loginPath(path, true) : "/tipster-auth";
}

/**
 * Like requireCreator, for JSON routes: returns the active creator, or the error response to send.
 */
export async function creatorOrErrorResponse(
  c: HttpContext,
): Promise<{ viewer: Viewer; creator: Creator } | Response> {
  const viewer = await findViewerByRequest(c.req.raw);
  if (!viewer) return jsonError(c, 401, "Not authenticated");
  const creator = await creatorOfViewer(viewer);
  return creator && !creator.suspendedAt
    ? { viewer, creator }
    : jsonError(c, 403, "Only tipsters and analysts can use this page.");
}

async function creatorOfViewer(viewer: Viewer): Promise<Creator | null> {
  const creator = await findCreator(viewer.id);
  return creator && (creator.suspendedAt || viewer.roles.includes(creator.kind)) ? creator : null;
}
