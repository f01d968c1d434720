import { findCosignature, type WitnessKey } from "#domain/proof/cosignature.server.ts";
import { listConsistencyRanges } from "#domain/proof/merkle-tree.ts";
import { transaction } from "#platform/database.server.ts";
import { readCompactRange } from "../log/tree.server.ts";
import { type Clock, requireCloseTime, type SignedCheckpoint } from "./clock.server.ts";
import { post } from "./post.server.ts";

/** What the answers of a witness mean (C2SP tlog-witness). */
const REFUSALS: Record<number, string> = {
  400: "it says that the request is malformed",
  403: "it does not know our signing key",
  404: "it does not know our log",
  409: "it has cosigned another history of our log",
  422: "it refuses the consistency proof",
};

/**
 * Returns the clock of a witness. It cosigns a checkpoint only if that continues every checkpoint it has cosigned, so
 * that we cannot show one log to one person and another log to the next.
 */
export function createWitness({ key, url }: { key: WitnessKey; url: string }): Clock {
  const address = `${url.replace(/\/+$/, "")}/add-checkpoint`;
  return {
    kind: "witness",
    name: key.name,
    async timestamp(checkpoint, lastSize) {
      let answer = await addCheckpoint(address, checkpoint, lastSize);
      if (answer.status === 409) {
        const knownSize = parseSize(answer.body);
        if (knownSize !== null && knownSize > checkpoint.size)
          throw new Error(
            `it has cosigned ${knownSize} entries, but our newest checkpoint has ${checkpoint.size}`,
          );
        if (knownSize !== null && knownSize !== lastSize)
          answer = await addCheckpoint(address, checkpoint, knownSize);
      }
      if (answer.status !== 200)
        throw new Error(REFUSALS[answer.status] ?? `it answered ${answer.status}`);
      const cosignature = findCosignature(answer.body.toString("utf8"), checkpoint.note, key);
      if (!cosignature) throw new Error("its answer has no valid cosignature");
      requireCloseTime(cosignature.time);
      return { evidence: Buffer.from(cosignature.line, "utf8"), claimedAt: cosignature.time };
    },
  };
}

async function addCheckpoint(
  address: string,
  { firstIndex, size, note }: SignedCheckpoint,
  oldSize: number,
): Promise<{ status: number; body: Buffer }> {
  const proof = await transaction(async (tx) => {
    const hashes: Buffer[] = [];
    for (const { start, end } of listConsistencyRanges(oldSize, size))
      hashes.push((await readCompactRange(tx, { firstIndex }, end, start)).root());
    return hashes;
  });
  const lines = [`old ${oldSize}`, ...proof.map((hash) => hash.toString("base64")), "", note];
  return await post(address, {
    contentType: "text/plain; charset=utf-8",
    body: Buffer.from(lines.join("\n"), "utf8"),
  });
}

/** Returns the size in an answer of status 409, or null. */
function parseSize(body: Buffer): number | null {
  const [, size] = /^(0|[1-9]\d{0,14})\n$/.exec(body.toString("latin1")) ?? [];
  return size === undefined ? null : Number(size);
}
