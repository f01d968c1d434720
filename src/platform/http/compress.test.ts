import { describe, expect, it } from "vitest";
import { acceptsGzip, negotiateEncoding } from "./compress.server.ts";

describe("the encoding of a response", () => {
  it.each([
    [undefined, "identity", false],
    ["", "identity", false],
    ["gzip, deflate, br, zstd", "br", true],
    ["br;q=0.5", "br", false],
    ["gzip;q=0.5", "gzip", true],
    ["GZIP", "gzip", true],
    ["BR ; Q=1", "br", false],
    ["br;q=0.4, gzip;q=0.8", "gzip", true],
    ["gzip;q=1.0, br;q=0.0", "gzip", true],
    ["br;q=0, gzip;q=0.000", "identity", false],
    ["gzip;q=0.001", "gzip", true],
    ["identity;q=1, gzip;q=0.5", "identity", true],
    ["*", "br", true],
    ["*;q=0.5, br;q=0", "gzip", true],
    ["x-br, brotli, gzipped", "identity", false],
    ["identity;q=0, *;q=0", "identity", false],
  ])("is chosen as the client asks: %j is %s", (acceptEncoding, encoding, isGzipAccepted) => {
    expect(negotiateEncoding(acceptEncoding)).toBe(encoding);
    expect(acceptsGzip(acceptEncoding)).toBe(isGzipAccepted);
  });
});
