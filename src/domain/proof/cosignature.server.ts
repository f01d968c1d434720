import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";

/** The signature type of an Ed25519 cosignature (C2SP tlog-cosignature). */
const COSIGNATURE = 0x04;
const ID_BYTES = 4;
const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;

/** The public key that verifies a witness's cosignatures. */
export type WitnessKey = { name: string; id: Buffer; publicKey: KeyObject };

/** Parses a witness's verifier key. Returns null unless it is a cosignature key whose id matches its hash. */
export function parseWitnessKey(text: string): WitnessKey | null {
  const [, name, id, encoded = ""] =
    /^([^\s+,]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  const typed = Buffer.from(encoded, "base64");
  if (!name || !id || typed.length !== 33 || typed[0] !== COSIGNATURE) return null;
  const hash = createHash("sha256").update(`${name}\n`).update(typed).digest();
  if (hash.subarray(0, ID_BYTES).toString("hex") !== id) return null;
  const publicKey = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: typed.subarray(1).toString("base64url") },
    format: "jwk",
  });
  return { name, id: Buffer.from(id, "hex"), publicKey };
}

/** Returns the text that a witness signs: its time and the three lines of the checkpoint. */
export function formatCosignedText(note: string, seconds: bigint): string {
  return `cosignature/v1\ntime ${seconds}\n${note.slice(0, note.indexOf("\n\n") + 1)}`;
}

/**
 * Finds the valid cosignature of a witness among signature lines. Returns its line and time, or null. Ignores lines
 * of other keys.
 */
export function findCosignature(
  lines: string,
  note: string,
  { name, id, publicKey }: WitnessKey,
): { line: string; time: Date } | null {
  for (const line of lines.split("\n")) {
    const [, signer, encoded = ""] = /^— (\S+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? [];
    const bytes = Buffer.from(encoded, "base64");
    if (signer !== name || bytes.length !== ID_BYTES + TIME_BYTES + SIGNATURE_BYTES) continue;
    // The line is published unchanged, so only the canonical base64 form is accepted.
    if (!bytes.subarray(0, ID_BYTES).equals(id) || bytes.toString("base64") !== encoded) continue;
    const seconds = bytes.readBigUInt64BE(ID_BYTES);
    const time = new Date(Number(seconds) * 1000);
    const signature = bytes.subarray(ID_BYTES + TIME_BYTES);
    const text = Buffer.from(formatCosignedText(note, seconds));
    if (!Number.isNaN(time.getTime()) && verify(null, text, publicKey, signature))
      return { line: `${line}\n`, time };
  }
  return null;
}
