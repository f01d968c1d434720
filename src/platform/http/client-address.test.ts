import { describe, expect, it } from "vitest";
import { createClientAddressReader } from "./client-address.server.ts";
import type { HttpContext } from "./http.server.ts";

function makeContext(remoteAddress: string, forwardedFor?: string): HttpContext {
  return {
    env: { incoming: { socket: { remoteAddress } } },
    req: { header: (name: string) => (name === "x-forwarded-for" ? forwardedFor : undefined) },
  } as unknown as HttpContext;
}

describe("createClientAddressReader", () => {
  it("uses the socket address and ignores X-Forwarded-For from an untrusted peer", () => {
    const readAddress = createClientAddressReader(null);
    expect(readAddress(makeContext("203.0.113.9", "198.51.100.1")).address).toBe("203.0.113.9");
    expect(readAddress(makeContext("::ffff:203.0.113.9")).address).toBe("203.0.113.9");
  });

  it("uses the last untrusted entry of X-Forwarded-For when the peer is a trusted proxy", () => {
    const readAddress = createClientAddressReader("10.0.0.0/8, ::1");
    expect(readAddress(makeContext("10.1.2.3", "198.51.100.1")).address).toBe("198.51.100.1");
    expect(readAddress(makeContext("::1", "1.1.1.1, 198.51.100.1, 10.9.9.9")).address).toBe(
      "198.51.100.1",
    );
    expect(readAddress(makeContext("10.1.2.3")).address).toBe("10.1.2.3");
    expect(readAddress(makeContext("10.1.2.3", "nonsense")).address).toBe("10.1.2.3");
    expect(readAddress(makeContext("203.0.113.9", "198.51.100.1")).address).toBe("203.0.113.9");
  });
});
