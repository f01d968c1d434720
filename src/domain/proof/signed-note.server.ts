import { createHash, createPublicKey, type KeyObject, sign } from "node:crypto";

/** The signature type of Ed25519 in a signed note (C2SP signed-note). */
const ED25519 = Buffer.of(0x01);
const HASH_BYTES = 32;

/** A statement that the log had this root when it had this many entries. */
export type Checkpoint = { origin: string; size: number; root: Uint8Array };

/** Returns the verifier key (vkey) with which anyone can check the log's checkpoints. */
export function formatVerifierKey(origin: string, publicKey: Uint8Array): string {
  const key = Buffer.concat([ED25519, publicKey]).toString("base64");
  return `${origin}+${computeKeyId(origin, publicKey).toString("hex")}+${key}`;
}

/** Returns the three lines of a checkpoint that are signed (C2SP tlog-checkpoint). */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  requireOrigin(origin);
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`Not a log size: ${size}`);
  if (root.length !== HASH_BYTES) throw new RangeError(`A root has ${HASH_BYTES} bytes`);
  return `${origin}\n${size}\n${Buffer.from(root).toString("base64")}\n`;
}

/** Parses the three lines of a checkpoint, signed or not. Returns null for any other text. Does not verify signatures. */
export function parseCheckpoint(note: string): Checkpoint | null {
  const [origin = "", sizeText = "", rootText = ""] = note.split(/\r?\n/);
  const root = Buffer.from(rootText, "base64");
  if (!/^[^\s+]+$/u.test(origin) || !/^(0|[1-9]\d{0,14})$/.test(sizeText)) return null;
  if (root.length !== HASH_BYTES || root.toString("base64") !== rootText) return null;
  return { origin, size: Number(sizeText), root };
}

/** Returns a checkpoint's signed note: its text, an empty line and an Ed25519 signature by each key. */
export function signCheckpoint(text: string, origin: string, ...privateKeys: KeyObject[]): string {
  const lines = privateKeys.map((key) => {
    const keyId = computeKeyId(origin, exportPublicKey(key));
    const signature = sign(null, Buffer.from(text), key);
    return `— ${origin} ${Buffer.concat([keyId, signature]).toString("base64")}\n`;
  });
  return `${text}\n${lines.join("")}`;
}

/** Returns the 32 bytes of the Ed25519 public key that belongs to a private key. */
export function exportPublicKey(privateKey: KeyObject): Buffer {
  const { crv, x } = createPublicKey(privateKey).export({ format: "jwk" });
  if (crv !== "Ed25519" || !x) throw new TypeError("Checkpoints are signed with Ed25519");
  return Buffer.from(x, "base64url");
}

function computeKeyId(origin: string, publicKey: Uint8Array): Buffer {
  requireOrigin(origin);
  if (publicKey.length !== 32) throw new RangeError("An Ed25519 public key has 32 bytes");
  const hash = createHash("sha256").update(`${origin}\n`).update(ED25519).update(publicKey);
  return hash.digest().subarray(0, 4);
}

/** Spaces and plus signs separate the parts of signature lines and verifier keys. */
function requireOrigin(origin: string): void {
  if (!/^[^\s+]+$/u.test(origin)) throw new TypeError(`Not a log's origin: ${origin}`);
}
