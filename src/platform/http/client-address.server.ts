import { BlockList, isIP } from "node:net";
import type { HttpContext } from "./http.server.ts";

/**
 * Makes the reader of a client's address. Only a proxy that is trusted is believed about whom it
 * speaks for: then the right-most address of X-Forwarded-For that is not itself such a proxy counts.
 */
export function clientAddressReader(trustedProxy: string | null) {
  const isTrusted = trustedProxyCheck(trustedProxy);
  return (c: HttpContext): { address: string; isProxied: boolean } => {
    const socket = plain(c.env?.incoming?.socket?.remoteAddress ?? "127.0.0.1");
    if (!isTrusted(socket)) return { address: socket, isProxied: false };
    const chain = (c.req.header("x-forwarded-for") ?? "")
      .split(",")
      .map((each) => plain(each.trim()))
      .filter((each) => isIP(each) > 0);
    const client = chain.findLast((each) => !isTrusted(each));
    return { address: client ?? socket, isProxied: true };
  };
}

/** Returns the check whether an address belongs to a proxy that TRUSTED_PROXY names. */
export function trustedProxyCheck(trustedProxy: string | null): (address: string) => boolean {
  if (!trustedProxy) return () => false;
  const trusted = new BlockList();
  for (const each of trustedProxy.split(",")) {
    const [address = "", prefix] = each.trim().split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix) trusted.addSubnet(address, Number(prefix), family);
    else trusted.addAddress(address, family);
  }
  return (address) => {
    const client = plain(address);
    return trusted.check(client, isIP(client) === 6 ? "ipv6" : "ipv4");
  };
}

/** An IPv4 address in IPv6 clothes is still the same client. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, "");
}
