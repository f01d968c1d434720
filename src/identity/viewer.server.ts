import { createHash } from "node:crypto";
import { data, type RouterContextProvider, redirect } from "react-router";
import { now } from "#platform/clock.server.ts";
import { pool, prepared } from "#platform/database.server.ts";
import { type RequestDetails, requestDetailsOf } from "#platform/http/request.server.ts";
import {
  newSessionExpiry,
  PROLONG_BELOW_MS,
  sessionToken,
  tokenOfCookies,
} from "./session-token.server.ts";

export type Role = "user" | "tipster" | "analyst" | "admin";
/** The person who asks. Everybody with an account has the role 'user'. */
export type Viewer = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  roles: Role[];
};

type Context = Readonly<RouterContextProvider>;

const known = new WeakMap<RequestDetails, Promise<Viewer | null>>();

/** Who asks, for loaders and actions; looked up once for each request. Null for a guest. */
export function viewerOf(context: Context): Promise<Viewer | null> {
  const facts = requestDetailsOf(context);
  let viewer = known.get(facts);
  if (!viewer) {
    viewer = viewerOfToken(tokenOfCookies(facts.cookies));
    known.set(facts, viewer);
  }
  return viewer;
}

/** Who asks from here on in this request, which has just signed them in. */
export function setViewer(context: Context, viewer: Viewer): void {
  known.set(requestDetailsOf(context), Promise.resolve(viewer));
}

/** Who asks; a guest is sent to sign in and comes back to where they wanted to go. */
export async function requireViewer(context: Context, request: Request): Promise<Viewer> {
  const viewer = await viewerOf(context);
  if (viewer) return viewer;
  const { searchParams } = new URL(request.url);
  // What the browser adds to ask for a page's data alone.
  searchParams.delete("_routes");
  const search = request.method === "GET" && searchParams.size > 0 ? `?${searchParams}` : "";
  throw redirect(signInPath(requestDetailsOf(context).path + search, hasSessionCookie(context)));
}

/**
 * A mark that tells this session from every other and says nothing of it. Null for a guest, and where
 * the session is over.
 */
export async function sessionFingerprint(context: Context): Promise<string | null> {
  const token = tokenOfCookies(requestDetailsOf(context).cookies);
  if (!token || !(await viewerOf(context))) return null;
  return createHash("sha256").update(`mark of ${token}`).digest("base64url").slice(0, 22);
}

/** Whether a session came with the request; with no viewer it has run out or been ended elsewhere. */
export function hasSessionCookie(context: Context): boolean {
  return tokenOfCookies(requestDetailsOf(context).cookies) !== null;
}

/** Where to sign in and come back to the target; says so where a session has run out. */
export function signInPath(target: string, isExpired = false): string {
  return `/login?return=${encodeURIComponent(target)}${isExpired ? "&expired" : ""}`;
}

/** Who asks, if they have the role; throws 401 for a guest and 403 for everyone else. */
export async function requireRole(context: Context, role: Role): Promise<Viewer> {
  const viewer = await viewerOf(context);
  if (!viewer) throw data("You are not logged in.", { status: 401 });
  if (!viewer.roles.includes(role))
    throw data("Your account doesn't have access to this.", { status: 403 });
  return viewer;
}

/** Who sends a request that is not for a page; null for a guest. */
export function readViewer(request: Request): Promise<Viewer | null> {
  return viewerOfToken(sessionToken(request));
}

type Row = {
  id: string;
  name: string;
  email: string;
  email_verified: boolean;
  roles: Role[];
  expires_at: Date;
};

async function viewerOfToken(token: string | null): Promise<Viewer | null> {
  if (!token) return null;
  const [row] = await prepared<Row>(
    "identity_viewer_of_token",
    `select u.id, u.name, u.email, u.email_verified, s.expires_at,
       array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles
     from sessions s join users u on u.id = s.user_id
     where s.token = $1 and s.expires_at > $2 and u.closed_at is null`,
    [token, now()],
  );
  if (!row) return null;
  if (row.expires_at.getTime() - now().getTime() < PROLONG_BELOW_MS) await prolong(token);
  return toViewer(row);
}

/** The person of an id as a viewer, as signing in answers them. */
export async function viewerOfUser(userId: string): Promise<Viewer | null> {
  const [row] = await prepared<Row>(
    "identity_viewer_of_user",
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

async function prolong(token: string): Promise<void> {
  await pool().query("update sessions set expires_at = $2, updated_at = $3 where token = $1", [
    token,
    newSessionExpiry(),
    now(),
  ]);
}
