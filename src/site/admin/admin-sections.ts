/** A section of the admin area, with the number of its open tasks. */
export type AdminSection = { to: string; label: string; count?: number | null };

export const ADMIN_ROOT = "/admin";
export const ADMIN_SEARCH_PATH = "/admin/search";

/** Returns the address of the section that a path belongs to. */
export function findSection(pathname: string): string {
  const [, , segment = ""] = pathname.split("/");
  if (segment === "") return ADMIN_ROOT;
  if (["race-cards", "tip-results"].includes(segment)) return `${ADMIN_ROOT}/tips`;
  if (segment === "race-days") return `${ADMIN_ROOT}/venues`;
  if (segment === "orders") return `${ADMIN_ROOT}/purchases`;
  if (segment === "emails") return `${ADMIN_ROOT}/users`;
  if (segment === "attention") return ADMIN_ROOT;
  return `${ADMIN_ROOT}/${segment}`;
}
