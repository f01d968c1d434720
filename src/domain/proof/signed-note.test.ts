import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { computeRoot } from "#test/merkle-root.ts";
import { createTestKey } from "#test/proof-log.ts";
import {
  exportPublicKey,
  formatCheckpoint,
  formatVerifierKey,
  signCheckpoint,
} from "./signed-note.server.ts";

const ORIGIN = "furlong.example/proof/log";
const LEAF_HASHES = [
  "bRKUZBSF1dS1NsMDi099nV2qJ4Af3JRDjxo3kNJerr0=",
  "nVkawW+hOK/KApiURop2j+RpGIrnY4yfBE2Lf8+z9w4=",
].map((base64) => Buffer.from(base64, "base64"));
const NOTE = `furlong.example/proof/log
2
CK8Kf50qWyRQoSFMS+8Cam743bF8QyeUW0eBpLgq8/Y=

— furlong.example/proof/log WegunAzGYXB82RXrUYXyUwxfEbjT7K0K9Jr8G9B2A8rd/KmsLubJ64ljmQAPAn+82+Pl0UrdA9G5ka6Av0dJNDWr3AI=
`;

test("formats a verifier key", () => {
  expect(formatVerifierKey(ORIGIN, exportPublicKey(createTestKey(7)))).toBe(
    "furlong.example/proof/log+59e82e9c+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs",
  );
});

test("formats the verifier key of the specification's example", () => {
  // golang.org/x/mod/sumdb/note: PeterNeumann's key in the package's tests and documentation.
  const publicKey = Buffer.from("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "base64");
  expect(formatVerifierKey("PeterNeumann", publicKey.subarray(1))).toBe(
    "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
  );
});

test("signs a checkpoint of two entries", () => {
  const text = formatCheckpoint({ origin: ORIGIN, size: 2, root: computeRoot(LEAF_HASHES) });
  expect(signCheckpoint(text, ORIGIN, createTestKey(7))).toBe(NOTE);
});

test.each(["", "two words", "a+b", "a\nb"])("refuses the origin %j", (origin) => {
  const root = Buffer.alloc(32);
  expect(() => formatCheckpoint({ origin, size: 0, root })).toThrow(TypeError);
  expect(() => formatVerifierKey(origin, root)).toThrow(TypeError);
});

test("refuses invalid sizes, roots and keys", () => {
  const root = Buffer.alloc(32);
  for (const size of [-1, 0.5, 2 ** 53, Number.NaN])
    expect(() => formatCheckpoint({ origin: ORIGIN, size, root })).toThrow(RangeError);
  expect(() => formatCheckpoint({ origin: ORIGIN, size: 1, root: root.subarray(1) })).toThrow(
    RangeError,
  );
  expect(() => formatVerifierKey(ORIGIN, root.subarray(1))).toThrow(RangeError);
});

test("refuses keys of other types", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const copy = createPrivateKey(privateKey.export({ format: "pem", type: "pkcs8" }));
  expect(() => exportPublicKey(copy)).toThrow(TypeError);
});
