import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { signOut } from "./sign-out.server.ts";

/** POST /api/sign-out */
export async function postSignOut(c: HttpContext): Promise<Response> {
  const { isComplete, headers } = await signOut(c.req.raw);
  for (const [name, value] of headers) c.header(name, value, { append: true });
  if (!isComplete)
    return jsonError(c, 503, "You're logged out in this browser, but your session has not ended.");
  c.header("Cache-Control", "no-store");
  return c.json({ signedOut: true });
}
