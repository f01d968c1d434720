import { hashNode } from "#domain/proof/merkle-tree.ts";

/**
 * The left edge of a Merkle tree of RFC 6962: the roots of its perfect subtrees, largest first. It is all that is
 * needed to append to the tree and to compute its root.
 */
export class CompactRange {
  #subtrees: { height: number; hash: Buffer }[] = [];

  /** Appends the root of a perfect subtree of 2^height leaves. It must not be larger than the one before it. */
  push(height: number, hash: Buffer): void {
    let right = { height, hash };
    for (
      let left = this.#subtrees.at(-1);
      left !== undefined && left.height === right.height;
      left = this.#subtrees.at(-1)
    ) {
      this.#subtrees.pop();
      right = { height: right.height + 1, hash: hashNode(left.hash, right.hash) };
    }
    this.#subtrees.push(right);
  }

  /** Returns the hashes of the perfect subtrees, largest first. */
  hashes(): Buffer[] {
    return this.#subtrees.map((subtree) => subtree.hash);
  }

  /** Returns the root of the tree. Throws if it has no leaves. */
  root(): Buffer {
    const [last, ...rest] = this.hashes().reverse();
    if (!last) throw new Error("an empty tree has no compact range");
    return rest.reduce((right, left) => hashNode(left, right), last);
  }
}
