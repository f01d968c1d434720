import { BlockList, isIP } from "node:net";
import type { HttpContext } from "./http.server.ts";

/**
 * Returns a function that reads the client's address. For a trusted proxy this is the right-most
 * address of X-Forwarded-For that is not itself a trusted proxy; otherwise it is the peer's
 * address.
 */
export function createClientAddressReader(trustedProxy: string | null) {
  const isTrusted = createTrustedProxyCheck(trustedProxy);
  return (c: HttpContext): { address: string; isProxied: boolean } => {
    const peer = normalise(c.env?.incoming?.socket?.remoteAddress ?? "127.0.0.1");
    if (!isTrusted(peer)) return { address: peer, isProxied: false };
    const forwardedFor = (c.req.header("x-forwarded-for") ?? "")
      .split(",")
      .map((entry) => normalise(entry.trim()))
      .filter((entry) => isIP(entry) > 0);
    const client = forwardedFor.findLast((entry) => !isTrusted(entry));
    return { address: client ?? peer, isProxied: true };
  };
}

/** Returns a function that tests whether an address belongs to a proxy in TRUSTED_PROXY. */
export function createTrustedProxyCheck(trustedProxy: string | null): (address: string) => boolean {
  if (!trustedProxy) return () => false;
  const trusted = new BlockList();
  for (const entry of trustedProxy.split(",")) {
    const [address = "", prefix] = entry.trim().split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix) trusted.addSubnet(address, Number(prefix), family);
    else trusted.addAddress(address, family);
  }
  return (address) => {
    const client = normalise(address);
    return trusted.check(client, isIP(client) === 6 ? "ipv6" : "ipv4");
  };
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function normalise(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, "");
}
