import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

export type Certificate = {
  /** Certificate and private key in PEM. */
  cert: string;
  key: string;
  /** SHA-256 of the public key in base64, which makes Chromium accept the certificate. */
  keyHash: string;
};

/**
 * Creates a certificate for `localhost` and 127.0.0.1 that is valid for a day. Node has no function
 * for this, and OpenSSL may not be installed.
 */
export function makeCertificate(now = new Date()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKeyInfo = publicKey.export({ type: "spki", format: "der" });
  const name = sequence(set(sequence(COMMON_NAME, tagged(0x0c, Buffer.from("localhost")))));
  const signed = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))), // version 3
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])), // serial number
    sequence(ECDSA_WITH_SHA256),
    name,
    sequence(utcTime(new Date(now.getTime() - DAY_MS)), utcTime(new Date(now.getTime() + DAY_MS))),
    name,
    publicKeyInfo,
    tagged(0xa3, sequence(subjectNames())),
  );
  const signature = sign("sha256", signed, privateKey);
  const certificate = sequence(
    signed,
    sequence(ECDSA_WITH_SHA256),
    tagged(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  const lines = certificate.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    keyHash: createHash("sha256").update(publicKeyInfo).digest("base64"),
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const COMMON_NAME = tagged(0x06, Buffer.from("550403", "hex"));
const ECDSA_WITH_SHA256 = tagged(0x06, Buffer.from("2a8648ce3d040302", "hex"));
const SUBJECT_ALTERNATIVE_NAME = tagged(0x06, Buffer.from("551d11", "hex"));

/** Encodes the subject alternative name extension (RFC 5280, section 4.2.1.6). */
function subjectNames(): Buffer {
  const names = sequence(
    tagged(0x82, Buffer.from("localhost")),
    tagged(0x87, Buffer.from([127, 0, 0, 1])),
  );
  return sequence(SUBJECT_ALTERNATIVE_NAME, tagged(0x04, names));
}

function utcTime(at: Date): Buffer {
  const digits = at.toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return tagged(0x17, Buffer.from(`${digits}Z`));
}

const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts));
const set = (...parts: Buffer[]) => tagged(0x31, Buffer.concat(parts));

/** Encodes a DER value: tag, length, content. */
function tagged(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), value]);
}
