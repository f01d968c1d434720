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

/**
 * Returns the ranges of leaves whose roots, in this order, form the consistency proof between two sizes of a tree
 * (RFC 6962, 2.1.2). Each range is a subtree. Returns no ranges for equal sizes or an empty older tree.
 */
export function listConsistencyRanges(
  oldSize: number,
  size: number,
): { start: number; end: number }[] {
  if (oldSize > size) throw new RangeError("the older tree is larger");
  if (oldSize === 0) return [];
  const ranges: { start: number; end: number }[] = [];
  let [start, end] = [0, size];
  // Descends to the subtree at which the older tree ends. The siblings on the way form the proof, deepest first.
  let isOldTree = true;
  while (oldSize < end) {
    let leftSize = 1;
    while (leftSize * 2 < end - start) leftSize *= 2;
    const middle = start + leftSize;
    if (oldSize <= middle) {
      ranges.unshift({ start: middle, end });
      end = middle;
    } else {
      ranges.unshift({ start, end: middle });
      start = middle;
      isOldTree = false;
    }
  }
  return isOldTree ? ranges : [{ start, end }, ...ranges];
}

function hash(...parts: Uint8Array[]): Buffer {
  const sha256 = createHash("sha256");
  for (const part of parts) sha256.update(part);
  return sha256.digest();
}
