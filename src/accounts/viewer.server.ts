import { createHash } from "node:crypto";
import { type RouterContextProvider, redirect } from "react-router";
import { now } from "#platform/clock.server.ts";
import { pool, queryPrepared } from "#platform/database.server.ts";
import { getRequestDetails, type RequestDetails } from "#platform/http/request.server.ts";
import {
  computeSessionExpiry,
  EXTEND_BELOW_MS,
  parseSessionToken,
  readSessionToken,
} from "./session-token.server.ts";

export type Role = "user" | "tipster" | "analyst" | "admin";
/** The signed-in user of a request. Every account has the role 'user'. */
export type Viewer = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  roles: Role[];
};

type Context = Readonly<RouterContextProvider>;

const viewers = new WeakMap<RequestDetails, Promise<Viewer | null>>();

/** Returns the viewer for loaders and actions, or null for a guest. Cached per request. */
export function findViewer(context: Context): Promise<Viewer | null> {
  const request = getRequestDetails(context);
  let viewer = viewers.get(request);
  if (!viewer) {
    viewer = findViewerByToken(parseSessionToken(request.cookies));
    viewers.set(request, viewer);
  }
  return viewer;
}

/** Sets the viewer of this request after signing in, or null after signing out. */
export function setViewer(context: Context, viewer: Viewer | null): void {
  viewers.set(getRequestDetails(context), Promise.resolve(viewer));
}

/**
 * Returns the viewer. Throws a redirect to the login page for a guest, with this page as return
 * target.
 */
export async function requireViewer(context: Context, request: Request): Promise<Viewer> {
  const viewer = await findViewer(context);
  if (viewer) return viewer;
  const { searchParams } = new URL(request.url);
  // Added by React Router to data requests.
  searchParams.delete("_routes");
  const search = request.method === "GET" && searchParams.size > 0 ? `?${searchParams}` : "";
  throw redirect(loginPath(getRequestDetails(context).path + search, hasSessionCookie(context)));
}

/**
 * Returns a fingerprint that identifies the session without revealing its token; null for a guest
 * or an ended session.
 */
export async function sessionFingerprint(context: Context): Promise<string | null> {
  const token = parseSessionToken(getRequestDetails(context).cookies);
  if (!token || !(await findViewer(context))) return null;
  return createHash("sha256").update(`mark of ${token}`).digest("base64url").slice(0, 22);
}

/**
 * Whether the request has a session cookie. If there is no viewer, the session has expired or was
 * ended in another browser.
 */
export function hasSessionCookie(context: Context): boolean {
  return parseSessionToken(getRequestDetails(context).cookies) !== null;
}

/** Returns the login path with a return target, and a notice if the session has expired. */
export function loginPath(target: string, isExpired = false): string {
  return `/login?return=${encodeURIComponent(target)}${isExpired ? "&expired" : ""}`;
}

/** Returns the viewer of a request to an API route; null for a guest. */
export function findViewerByRequest(request: Request): Promise<Viewer | null> {
  return findViewerByToken(readSessionToken(request));
}

type Row = {
  id: string;
  name: string;
  email: string;
  email_verified: boolean;
  roles: Role[];
  expires_at: Date;
};

/** Returns the viewer with this session token, which must have had a valid signature. */
export async function findViewerByToken(token: string | null): Promise<Viewer | null> {
  if (!token) return null;
  const [row] = await queryPrepared<Row>(
    "accounts_viewer_of_token",
    `select u.id, u.name, u.email, u.email_verified, s.expires_at,
       array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles
     from sessions s join users u on u.id = s.user_id
     where s.token = $1 and s.expires_at > $2 and u.closed_at is null`,
    [token, now()],
  );
  if (!row) return null;
  if (row.expires_at.getTime() - now().getTime() < EXTEND_BELOW_MS) await extendSession(token);
  return toViewer(row);
}

/** Returns the user with this id as a viewer, or null. */
export async function findViewerById(userId: string): Promise<Viewer | null> {
  const [row] = await queryPrepared<Row>(
    "accounts_viewer_of_user",
    `select u.id, u.name, u.email, u.email_verified,
       array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles
     from users u where u.id = $1 and u.closed_at is null`,
    [userId],
  );
  return row ? toViewer(row) : null;
}

function toViewer(row: Omit<Row, "expires_at">): Viewer {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    emailVerified: row.email_verified,
    roles: ["user", ...row.roles],
  };
}

async function extendSession(token: string): Promise<void> {
  await pool().query("update sessions set expires_at = $2, updated_at = $3 where token = $1", [
    token,
    computeSessionExpiry(),
    now(),
  ]);
}
