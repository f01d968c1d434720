import fc from "fast-check";
import { expect, test } from "vitest";
import { computeRoot } from "#test/merkle-root.ts";
import { hashLeaf, hashNode } from "./merkle-tree.ts";

/** The test leaves of the first RFC 6962 implementation, and the root over the first n of them. */
const LEAVES = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
];
const ROOTS = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

const leafHashes = LEAVES.map((hex) => hashLeaf(Buffer.from(hex, "hex")));

test.each(ROOTS.map((root, size) => ({ root, size })))(
  "computes the root of $size test leaves",
  ({ root, size }) => {
    expect(computeRoot(leafHashes.slice(0, size)).toString("hex")).toBe(root);
  },
);

test("a tree of two leaves is one node", () => {
  const [left, right] = leafHashes;
  expect(computeRoot([left!, right!])).toEqual(hashNode(left!, right!));
});

test("the root of a tree is the node of a full left tree and the rest", () => {
  const sizes = fc.integer({ min: 2, max: 300 });
  fc.assert(
    fc.property(sizes, (size) => {
      const leaves = Array.from({ length: size }, (_, index) => hashLeaf(Buffer.of(index % 256)));
      const leftSize = 2 ** Math.floor(Math.log2(size - 1));
      expect(computeRoot(leaves)).toEqual(
        hashNode(computeRoot(leaves.slice(0, leftSize)), computeRoot(leaves.slice(leftSize))),
      );
    }),
    { numRuns: 50 },
  );
});
