import { createHash } from "node:crypto";

/** Leaves and nodes have different prefixes so that no entry can be passed off as a node (RFC 6962, 2.1). */
const LEAF_PREFIX = Buffer.of(0x00);
const NODE_PREFIX = Buffer.of(0x01);

/** Returns the hash of one log entry, 32 bytes. */
export function hashLeaf(entry: Uint8Array): Buffer {
  return hash(LEAF_PREFIX, entry);
}

/** Returns the hash of a tree's node from the hashes of its two children. */
export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  return hash(NODE_PREFIX, left, right);
}

function hash(...parts: Uint8Array[]): Buffer {
  const sha256 = createHash("sha256");
  for (const part of parts) sha256.update(part);
  return sha256.digest();
}
