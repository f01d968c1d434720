import { sameSitePath } from "#domain/same-site-path.ts";

/** What the address says of someone who has turned back from the payment page. */
export const CANCELLED = "cancelled";

/** A path of this site that says its reader turned back without paying. */
export function cancelledPath(wish: string | null | undefined): string {
  const [path = "/", hash] = sameSitePath(wish).split("#");
  const query = path.split("?")[1];
  const said = new URLSearchParams(query).has(CANCELLED)
    ? path
    : `${path}${query === undefined ? "?" : "&"}${CANCELLED}`;
  return hash === undefined ? said : `${said}#${hash}`;
}
