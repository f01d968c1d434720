import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { publicUrlSetter } from "./public-url.server.ts";

const APP_URL = "https://furlong.example";

function urlOf(url: string, from = "10.1.2.3", trustedProxy: string | null = "10.0.0.0/8, ::1") {
  const request = { url, socket: { remoteAddress: from } as Socket };
  publicUrlSetter({ appUrl: APP_URL, trustedProxy })(request);
  return request.url;
}

describe("the URL of a request", () => {
  it.each([
    ["/", "https://furlong.example/"],
    ["/login?mode=register", "https://furlong.example/login?mode=register"],
    ["//evil.example/login", "https://furlong.example//evil.example/login"],
    ["http://10.0.0.11:3000/login?a=b", "https://furlong.example/login?a=b"],
    ["HTTPS://user:secret@evil.example:8443/login", "https://furlong.example/login"],
  ])("rewrites %s to %s for a request from a trusted proxy", (given, expected) => {
    expect(urlOf(given)).toBe(expected);
    expect(urlOf(given, "::1")).toBe(expected);
    expect(urlOf(given, "::ffff:10.1.2.3")).toBe(expected);
  });

  it.each(["/login", "http://10.0.0.11:3000/login"])(
    "leaves %s unchanged for a request from any other peer",
    (given) => {
      for (const from of ["11.0.0.1", "9.255.255.255", "::2", "::ffff:11.0.0.1"])
        expect(urlOf(given, from), from).toBe(given);
      expect(urlOf(given, "127.0.0.1", null)).toBe(given);
    },
  );

  it.each(["*", "http://", "ftp://evil.example/", ""])(
    "leaves %j unchanged for the server to refuse",
    (given) => {
      expect(urlOf(given)).toBe(given);
    },
  );
});
