import { createHash } from "node:crypto";
import { hashNode } from "#domain/proof/merkle-tree.ts";

/** Returns the root of the tree over these leaf hashes. The root of an empty tree is the hash of nothing. */
export function computeRoot(leafHashes: readonly Uint8Array[]): Buffer {
  return leafHashes.length === 0
    ? createHash("sha256").digest()
    : computeSubtree(leafHashes, 0, leafHashes.length);
}

function computeSubtree(leafHashes: readonly Uint8Array[], start: number, end: number): Buffer {
  const size = end - start;
  if (size === 1) return Buffer.from(leafHashes[start]!);
  // The left child is the largest full tree that leaves at least one leaf for the right.
  let leftSize = 1;
  while (leftSize * 2 < size) leftSize *= 2;
  const middle = start + leftSize;
  return hashNode(
    computeSubtree(leafHashes, start, middle),
    computeSubtree(leafHashes, middle, end),
  );
}
