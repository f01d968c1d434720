import { env } from "#platform/env.server.ts";

let listFormTargets: () => string[] = () => [];

/** Sets the function that lists the external origins to which a form may redirect. Called for each policy. */
export function allowFormTargets(listOrigins: () => string[]): void {
  listFormTargets = listOrigins;
}

/**
 * Returns the Content-Security-Policy of a page whose inline scripts have this nonce or these
 * hashes.
 */
export function buildContentSecurityPolicy(
  scripts: { nonce: string } | { hashes: string[] },
): string {
  const allowedScripts =
    "nonce" in scripts
      ? `'nonce-${scripts.nonce}'`
      : scripts.hashes.map((hash) => `'sha256-${hash}'`).join(" ");
  const isSecure = env().appUrl.startsWith("https:");
  return [
    "default-src 'self'",
    `script-src 'self' ${allowedScripts}`,
    // Radix and sonner position their panels with style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    // A form may redirect to the payment page.
    ["form-action 'self'", ...listFormTargets()].join(" "),
    "frame-ancestors 'none'",
    ...(isSecure ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

/** Returns the headers of every response. */
export function getSecurityHeaders(): Record<string, string> {
  return {
    ...getAssetHeaders(),
    // Overridden by a page's own policy.
    "Content-Security-Policy": "object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
  };
}

/**
 * Returns the headers of scripts, styles, fonts and images. Headers that only apply to documents
 * are omitted, which saves prepaid data sixteen times per first visit.
 */
export function getAssetHeaders(): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(env().appUrl.startsWith("https:")
      ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }
      : {}),
  };
}
