import { describe, expect, it } from "vitest";
import { negotiateEncoding } from "./compress.server.ts";

describe("the encoding of a response", () => {
  it.each([
    [undefined, "identity"],
    ["", "identity"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5", "br"],
    ["gzip;q=0.5", "gzip"],
    ["GZIP", "gzip"],
    ["BR ; Q=1", "br"],
    ["br;q=0.4, gzip;q=0.8", "gzip"],
    ["gzip;q=1.0, br;q=0.0", "gzip"],
    ["br;q=0, gzip;q=0.000", "identity"],
    ["gzip;q=0.001", "gzip"],
    ["identity;q=1, gzip;q=0.5", "identity"],
    ["*", "br"],
    ["*;q=0.5, br;q=0", "gzip"],
    ["x-br, brotli, gzipped", "identity"],
    ["identity;q=0, *;q=0", "identity"],
  ])("is chosen as the client asks: %j is %s", (acceptEncoding, encoding) => {
    expect(negotiateEncoding(acceptEncoding)).toBe(encoding);
  });
});
