import { now } from "#platform/clock.server.ts";
import { decrypt, encrypt } from "#platform/encrypt.server.ts";
import { env } from "#platform/env.server.ts";
import { createClientAddressReader } from "./client-address.server.ts";
import type { HttpContext } from "./http.server.ts";

/** The header with which `npm run doctor` requests a report on how its request was interpreted. */
export const REPORT_HEADER = "x-furlong-doctor";
const ENCRYPTION_CONTEXT = { purpose: "doctor", owner: "request report" };
const TOKEN_LIFETIME_MS = 10 * 60_000;

/** How a request arrived and was interpreted. */
export type RequestReport = {
  /** The request's URL as pages and routes read it. */
  url: string;
  /** The address of the connection's peer. */
  peer: string;
  /** The address that rate limits count. */
  client: string;
  /** Whether TRUSTED_PROXY names the peer. */
  isProxied: boolean;
};

/** Returns the value of REPORT_HEADER, which only a process with AUTH_SECRET can create. */
export function createReportToken(): string {
  return encrypt(String(now().getTime()), ENCRYPTION_CONTEXT);
}

/**
 * Returns the report on this request; null unless its header contains a token created in
 * the last ten minutes.
 */
export function createRequestReport(c: HttpContext): RequestReport | null {
  const token = c.req.header(REPORT_HEADER);
  if (!token || !isTokenValid(token)) return null;
  const { address: client, isProxied } = createClientAddressReader(env().trustedProxy)(c);
  const peer = c.env?.incoming?.socket?.remoteAddress ?? "unknown";
  return { url: c.req.url, peer, client, isProxied };
}

function isTokenValid(token: string): boolean {
  try {
    return (
      Math.abs(now().getTime() - Number(decrypt(token, ENCRYPTION_CONTEXT))) <= TOKEN_LIFETIME_MS
    );
  } catch {
    return false;
  }
}
