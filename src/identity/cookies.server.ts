import { env } from "#platform/env.server.ts";

/** The value of one cookie in a Cookie header, or null. */
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

/** The session cookie's name and whether it travels over https alone. */
export function sessionCookie(): { name: string; secure: boolean } {
  return env().appUrl.startsWith("https:")
    ? { name: "__Host-furlong", secure: true }
    : { name: "furlong", secure: false };
}

/** A Set-Cookie line for a cookie of ours beside the session's, bound to this host where it can be. */
export function writeCookie(name: string, value: string, maxAgeSeconds: number): string {
  const secure = sessionCookie().secure ? "; Secure" : "";
  return `${ownName(name)}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** Reads what writeCookie wrote. */
export function readOwnCookie(header: string | null, name: string): string | null {
  return readCookie(header, ownName(name));
}

/** The names of the cookies that a Cookie header has from writeCookie. */
export function ownCookieNames(header: string | null): string[] {
  const prefix = ownName("");
  return (header?.split(";") ?? [])
    .map((part) => part.slice(0, Math.max(0, part.indexOf("="))).trim())
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
}

function ownName(name: string): string {
  return `${sessionCookie().name}-${name}`;
}
