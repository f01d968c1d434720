import { env } from "../env.server.ts";

/** Returns the value of one cookie in a Cookie header, or null. */
export function readCookie(header: string | null, name: string): string | null {
  for (const part of header?.split(";") ?? []) {
    const equals = part.indexOf("=");
    if (equals < 0 || part.slice(0, equals).trim() !== name) continue;
    try {
      return decodeURIComponent(part.slice(equals + 1).trim());
    } catch {
      return null;
    }
  }
  return null;
}

/** The name of the session cookie and whether it is sent over HTTPS only. */
export function sessionCookieOptions(): { name: string; secure: boolean } {
  return env().appUrl.startsWith("https:")
    ? { name: "__Host-furlong", secure: true }
    : { name: "furlong", secure: false };
}

/** Returns the Set-Cookie header of an additional cookie of this site, bound to this host. */
export function writeCookie(name: string, value: string, maxAgeSeconds: number): string {
  return formatCookie(toSiteCookieName(name), value, maxAgeSeconds);
}

/**
 * Returns Set-Cookie headers that delete the cookies in a Cookie header, also those that scripts have
 * set, except the one that writeCookie wrote with the kept name.
 */
export function expireCookies(header: string | null, keptName: string): string[] {
  return (header?.split(";") ?? [])
    .map((part) => part.split("=", 1)[0]?.trim() ?? "")
    .filter((name) => name !== "" && name !== toSiteCookieName(keptName))
    .map((name) => formatCookie(name, "", 0));
}

function formatCookie(name: string, value: string, maxAgeSeconds: number): string {
  const secure = sessionCookieOptions().secure ? "; Secure" : "";
  return `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the value of a cookie written by writeCookie, or null. */
export function readSiteCookie(header: string | null, name: string): string | null {
  return readCookie(header, toSiteCookieName(name));
}

function toSiteCookieName(name: string): string {
  return `${sessionCookieOptions().name}-${name}`;
}
