import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTimestampResponse } from "#test/der.ts";
import {
  createTimestampNonce,
  createTimestampRequest,
  parseTimestampResponse,
  TimestampResponseError,
} from "./timestamp-response.server.ts";

/** The checkpoint in docs/proof.md and OpenSSL's response to its timestamp request (openssl ts -reply). */
const NOTE = `furlong.example/proof/log
2
CK8Kf50qWyRQoSFMS+8Cam743bF8QyeUW0eBpLgq8/Y=

— furlong.example/proof/log WegunAzGYXB82RXrUYXyUwxfEbjT7K0K9Jr8G9B2A8rd/KmsLubJ64ljmQAPAn+82+Pl0UrdA9G5ka6Av0dJNDWr3AI=
`;
const DIGEST = createHash("sha256").update(NOTE).digest();
const NONCE = Buffer.from("0123456789abcdef", "hex");
const OPENSSL_RESPONSE = Buffer.from(
  "MIIFIDADAgEAMIIFFwYJKoZIhvcNAQcCoIIFCDCCBQQCAQMxDzANBglghkgBZQMEAgEFADCBjgYLKoZIhvcNAQkQAQSgfwR9MHsCAQEGBCoDBAEwMTANBglghkgBZQMEAgEFAAQghNVOEi5yURX63IKVdQ5oXuuhcz2OqcphZoMEuG/nz8ICAQIYDzIwMjYxMTIzMjAzODA0WjADAgEBAQH/AggBI0VniavN76AXpBUwEzERMA8GA1UEAwwIVGVzdCBUU0GgggMiMIIBmDCCAT2gAwIBAgIULuu1O+f+B3cRh4P5x/qMMMAAYE8wCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLVGVzdCBUU0EgQ0EwIBcNMjYxMTIzMjAzODA0WhgPMjEyNjEwMzAyMDM4MDRaMBMxETAPBgNVBAMMCFRlc3QgVFNBMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE9AvwR25tqhdgg6idTet6CUp0wk6QxAASBEDiNP6f1uARHUI52uR7vKbeL1Tx/oCf0tJMJZZqBvV3rjbGR2RnzqNqMGgwFgYDVR0lAQH/BAwwCgYIKwYBBQUHAwgwDgYDVR0PAQH/BAQDAgeAMB0GA1UdDgQWBBQhmsX7if/TRY9sh/igqDvF5hCnLjAfBgNVHSMEGDAWgBQVWCd6lxvjxidhXtXJklvr+n3DNzAKBggqhkjOPQQDAgNJADBGAiEAtdYgKtk067wOumQn/v0MncNhpHAI10KP31Xb19UO2/UCIQCi6QcigrN6StXwqpyjmwi//hDaJ+6ZNwP0V5v138TmazCCAYIwggEpoAMCAQICFFxxN0bd0RE1SMt0666H25zQ/UM7MAoGCCqGSM49BAMCMBYxFDASBgNVBAMMC1Rlc3QgVFNBIENBMCAXDTI2MTEyMzIwMzgwNFoYDzIxMjYxMDMwMjAzODA0WjAWMRQwEgYDVQQDDAtUZXN0IFRTQSBDQTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABAUdMOn/VA3269Ck5Z58bALqKkH5DY/P3B9doace7kBU3Jmo/Lm6V6Ac+wISge3cnpYVCbk95n9wc+I1t7wRPqSjUzBRMB0GA1UdDgQWBBQVWCd6lxvjxidhXtXJklvr+n3DNzAfBgNVHSMEGDAWgBQVWCd6lxvjxidhXtXJklvr+n3DNzAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIB3D5nXmW6hUP+a6D0SEpMFT0LrrkZVc4zcL8eSMxWN3AiAoIvibD57mo3O3ef664TjXj7wKy9vQ/HODHujO3J1z+zGCATUwggExAgEBMC4wFjEUMBIGA1UEAwwLVGVzdCBUU0EgQ0ECFC7rtTvn/gd3EYeD+cf6jDDAAGBPMA0GCWCGSAFlAwQCAQUAoIGYMBoGCSqGSIb3DQEJAzENBgsqhkiG9w0BCRABBDAcBgkqhkiG9w0BCQUxDxcNMjYxMTIzMjAzODA0WjArBgsqhkiG9w0BCRACDDEcMBowGDAWBBQ8tGCu1Wp0oFedxUSBVQ+OqpaHFDAvBgkqhkiG9w0BCQQxIgQgAcc+u5zjZY0zUtrtNZ78MKW4UwOP2WFwShdIKGuHjPwwCgYIKoZIzj0EAwIERjBEAiAzX2iXtPlX6kN7dbHPADXWiLGhP/tCZxRTshUupNc/vwIgQZ54QZ4fKy98PuBcOA0s0wENJulg7zS6DDzPxa60zeU=",
  "base64",
);

const fields = fc.record({
  digest: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
  nonce: fc.option(
    fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  ),
  time: fc.date({
    min: new Date("1990-01-01"),
    max: new Date("2100-01-01"),
    noInvalidDate: true,
  }),
  status: fc.constantFrom(0, 1),
  accuracy: fc.boolean(),
});

const refusal = (bytes: Buffer): string => {
  try {
    parseTimestampResponse(bytes);
    return "accepted";
  } catch (error) {
    if (!(error instanceof TimestampResponseError)) throw error;
    return error.message;
  }
};

describe("a request for a timestamp", () => {
  it("has the bytes that OpenSSL reads as version 1, SHA-256, nonce and certificate", () => {
    const request = createTimestampRequest(DIGEST, NONCE).toString("hex");
    expect(request).toBe(
      "30430201013031300d06096086480165030402010500042084d54e122e725115fadc8295750e685eeba1733d8ea9ca61668304b86fe7cfc202080123456789abcdef0101ff",
    );
  });

  it("has a nonce that is new and a positive integer of 8 bytes", () => {
    const nonces = Array.from({ length: 500 }, createTimestampNonce);
    for (const nonce of nonces) {
      expect(nonce).toHaveLength(8);
      expect(nonce[0]).toBeGreaterThan(0);
      expect(nonce[0]).toBeLessThan(0x80);
    }
    expect(new Set(nonces.map((nonce) => nonce.toString("hex"))).size).toBe(500);
  });

  it("refuses a digest or nonce of another length or sign", () => {
    for (const [digest, nonce] of [
      [DIGEST.subarray(1), NONCE],
      [DIGEST, NONCE.subarray(1)],
      [DIGEST, Buffer.from("00ffffffffffffff", "hex")],
      [DIGEST, Buffer.from("8000000000000000", "hex")],
    ] as const)
      expect(() => createTimestampRequest(digest, nonce)).toThrow(RangeError);
  });
});

describe("a timestamp response", () => {
  it("made by OpenSSL is parsed", () => {
    expect(parseTimestampResponse(OPENSSL_RESPONSE)).toEqual({
      digest: DIGEST,
      nonce: NONCE,
      time: new Date("2026-11-23T20:38:04Z"),
    });
  });

  it("returns the digest, nonce and time that were encoded, with and without the optional fields", () => {
    fc.assert(
      fc.property(fields, (written) => {
        const { digest, nonce, time } = parseTimestampResponse(createTimestampResponse(written));
        expect(digest).toEqual(written.digest);
        expect(nonce).toEqual(written.nonce);
        expect(time).toEqual(written.time);
      }),
    );
  });

  it("is refused when the authority did not grant it", () => {
    for (const status of [2, 3, 4, 5])
      expect(
        refusal(
          createTimestampResponse({ digest: DIGEST, nonce: NONCE, time: new Date(), status }),
        ),
      ).toContain("the authority refused");
  });

  it("is refused with another digest algorithm", () => {
    const digestOid = "608648016503040203";
    const response = createTimestampResponse({
      digest: DIGEST,
      nonce: NONCE,
      time: new Date(),
      digestOid,
    });
    expect(refusal(response)).toContain("not SHA-256");
  });

  it("is refused when it is truncated anywhere or followed by another byte", () => {
    for (let length = 0; length < OPENSSL_RESPONSE.length; length++)
      expect(refusal(OPENSSL_RESPONSE.subarray(0, length)), String(length)).not.toBe("accepted");
    expect(refusal(Buffer.concat([OPENSSL_RESPONSE, Buffer.of(0)]))).not.toBe("accepted");
  });

  it.each(["2026112108550 Z", "noon on Friday."])("is refused with the time %j", (time) => {
    const response = createTimestampResponse({
      digest: DIGEST,
      nonce: NONCE,
      time: new Date("2026-11-21T08:55:01Z"),
    }).toString("latin1");
    expect(response).toContain("20261121085501Z");
    const changed = response.replace("20261121085501Z", time);
    expect(refusal(Buffer.from(changed, "latin1"))).not.toBe("accepted");
  });

  it("throws only a TimestampResponseError for changed or random bytes", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: OPENSSL_RESPONSE.length - 1 }),
        fc.integer({ min: 0, max: 255 }),
        (position, value) => {
          const bytes = Buffer.from(OPENSSL_RESPONSE);
          bytes[position] = value;
          refusal(bytes);
        },
      ),
      // A parse takes some milliseconds.
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(refusal(Buffer.from(bytes))).not.toBe("accepted");
      }),
    );
  });
});
