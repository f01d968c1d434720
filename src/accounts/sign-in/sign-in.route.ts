import * as v from "valibot";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { trimInvisible } from "#platform/readable-input.ts";
import { toApiUser } from "../me.route.ts";
import { CODE_REQUIRED } from "../messages.ts";
import { signIn } from "./sign-in.server.ts";
import { describeSignInRefusal } from "./sign-in-refusal.server.ts";

const input = v.object({
  email: v.pipe(v.string(), trimInvisible, v.toLowerCase()),
  password: v.string(),
  code: v.optional(v.pipe(v.string(), v.maxLength(100))),
});

/** POST /api/sign-in */
export async function postSignIn(c: HttpContext): Promise<Response> {
  const body = v.safeParse(input, await c.req.json().catch(() => null));
  if (!body.success) return jsonError(c, 400, "Send an email and a password.");
  const { clientAddress } = c.get("requestDetails");
  const result = await signIn({ ...body.output, request: c.req.raw, clientAddress });
  if (result.ok) {
    for (const cookie of result.headers.getSetCookie())
      c.header("Set-Cookie", cookie, { append: true });
    c.header("Cache-Control", "no-store");
    return c.json({ user: await toApiUser(result.viewer) });
  }
  if (result.refusal === "code-needed") return jsonError(c, 401, CODE_REQUIRED);
  const { message, status, headers } = describeSignInRefusal(result);
  if (headers) c.header("Retry-After", headers["Retry-After"]);
  return jsonError(c, status, message);
}
