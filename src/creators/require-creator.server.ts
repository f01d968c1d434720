import { type RouterContextProvider, redirect } from "react-router";
import {
  hasSessionCookie,
  readViewer,
  signInPath,
  type Viewer,
  viewerOf,
} from "#identity/identity.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { requestDetailsOf } from "#platform/http/request.server.ts";
import { type Creator, findCreator } from "./creator.server.ts";
import { readInvitation } from "./invitations/invitations.server.ts";

/**
 * The signed-in creator, looked up anew for each request. A guest is sent to the tipsters' door, and so
 * is everybody who is no tipster or analyst (any more); somebody who has yet to accept the role is sent
 * to where that is done. A suspended creator still comes in, to their earnings and their own details:
 * what may not be done then is refused by whoever does it.
 */
export async function requireCreator(context: Readonly<RouterContextProvider>): Promise<Creator> {
  const viewer = await viewerOf(context);
  if (!viewer) throw redirect(loginFormFor(context));
  const creator = await creatorOfViewer(viewer);
  if (creator) return creator;
  throw redirect((await readInvitation(viewer.id)) ? "/tipster-invitation" : "/tipster-auth");
}

/** The tipsters' door; for whoever's session has run out a sign-in that leads back to where they were. */
function loginFormFor(context: Readonly<RouterContextProvider>): string {
  const path = requestDetailsOf(context).path.replace(/\/batch-day$/, "/add");
  const isAtWork = path.startsWith("/tipster-dashboard/");
  return isAtWork && hasSessionCookie(context) ? signInPath(path, true) : "/tipster-auth";
}

/** The same for an address that answers JSON: the creator, or the answer to give instead. */
export async function creatorOrErrorResponse(
  c: HttpContext,
): Promise<{ viewer: Viewer; creator: Creator } | Response> {
  const viewer = await readViewer(c.req.raw);
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
