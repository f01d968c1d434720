import type { HttpContext } from "#platform/http/http.server.ts";
import { signOut } from "./sign-out.server.ts";

/** POST /api/sign-out */
export async function postSignOut(c: HttpContext): Promise<Response> {
  const headers = await signOut(c.req.raw);
  headers.set("Cache-Control", "no-store");
  return new Response(JSON.stringify({ signedOut: true }), {
    headers: [...headers, ["Content-Type", "application/json"]],
  });
}
