import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { findViewerByRequest, type Viewer } from "./viewer.server.ts";

/** GET /api/me */
export async function getMe(c: HttpContext): Promise<Response> {
  const viewer = await findViewerByRequest(c.req.raw);
  if (!viewer) return jsonError(c, 401, "You are not logged in.");
  c.header("Cache-Control", "no-store");
  return c.json({ user: await toApiUser(viewer) });
}

/** The JSON representation of the signed-in user. */
export async function toApiUser({ id, name, email, roles }: Viewer) {
  const { balanceCoins } = await readWallet(id);
  return { id, name, email, coins: balanceCoins, roles };
}
