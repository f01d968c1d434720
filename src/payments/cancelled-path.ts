import { sameSitePath } from "#domain/same-site-path.ts";

/** Query parameter on the return URL after a cancelled payment. */
export const CANCELLED = "cancelled";

/** Returns a path of this site with the `cancelled` parameter. */
export function cancelledPath(returnTo: string | null | undefined): string {
  const [path = "/", hash] = sameSitePath(returnTo).split("#");
  const query = path.split("?")[1];
  const marked = new URLSearchParams(query).has(CANCELLED)
    ? path
    : `${path}${query === undefined ? "?" : "&"}${CANCELLED}`;
  return hash === undefined ? marked : `${marked}#${hash}`;
}
