import { toSameOriginPath } from "#domain/same-origin-path.ts";
import { CANCELLED_PARAMETER } from "./notice-parameters.ts";

/** Returns a path of this site with the `cancelled` parameter. */
export function addCancelledParameter(returnTo: string | null | undefined): string {
  const [path = "/", hash] = toSameOriginPath(returnTo).split("#");
  const query = path.split("?")[1];
  const pathWithParameter = new URLSearchParams(query).has(CANCELLED_PARAMETER)
    ? path
    : `${path}${query === undefined ? "?" : "&"}${CANCELLED_PARAMETER}`;
  return hash === undefined ? pathWithParameter : `${pathWithParameter}#${hash}`;
}
