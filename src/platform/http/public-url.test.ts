import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createPublicUrlSetter } from "./public-url.server.ts";

const APP_URL = "https://furlong.example";

function setPublicUrl(
  url: string,
  peer = "10.1.2.3",
  trustedProxy: string | null = "10.0.0.0/8, ::1",
) {
  const request = { url, socket: { remoteAddress: peer } as Socket };
  createPublicUrlSetter({ appUrl: APP_URL, trustedProxy })(request);
  return request.url;
}

describe("createPublicUrlSetter", () => {
  it.each([
    ["/", "https://furlong.example/"],
    ["/login?mode=register", "https://furlong.example/login?mode=register"],
    ["//evil.example/login", "https://furlong.example//evil.example/login"],
    ["http://10.0.0.11:3000/login?a=b", "https://furlong.example/login?a=b"],
    ["HTTPS://user:secret@evil.example:8443/login", "https://furlong.example/login"],
  ])("rewrites %s to %s for a request from a trusted proxy", (url, expected) => {
    expect(setPublicUrl(url)).toBe(expected);
    expect(setPublicUrl(url, "::1")).toBe(expected);
    expect(setPublicUrl(url, "::ffff:10.1.2.3")).toBe(expected);
  });

  it.each(["/login", "http://10.0.0.11:3000/login"])(
    "leaves %s unchanged for a request from any other peer",
    (url) => {
      for (const peer of ["11.0.0.1", "9.255.255.255", "::2", "::ffff:11.0.0.1"])
        expect(setPublicUrl(url, peer), peer).toBe(url);
      expect(setPublicUrl(url, "127.0.0.1", null)).toBe(url);
    },
  );

  it.each(["*", "http://", "ftp://evil.example/", ""])(
    "leaves the invalid request target %j unchanged",
    (url) => {
      expect(setPublicUrl(url)).toBe(url);
    },
  );
});
