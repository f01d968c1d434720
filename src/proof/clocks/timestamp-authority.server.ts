import { createHash } from "node:crypto";
import {
  createTimestampNonce,
  createTimestampRequest,
  parseTimestampResponse,
} from "#domain/proof/timestamp-response.server.ts";
import { type Clock, requireCloseTime } from "./clock.server.ts";
import { post } from "./post.server.ts";

/** Returns the clock of a timestamp authority of RFC 3161. It timestamps the bytes of the checkpoint as we signed it. */
export function createTimestampAuthority({ name, url }: { name: string; url: string }): Clock {
  return {
    kind: "rfc3161",
    name,
    async timestamp({ note }) {
      const digest = createHash("sha256").update(note, "utf8").digest();
      const nonce = createTimestampNonce();
      const { status, body } = await post(url, {
        contentType: "application/timestamp-query",
        body: createTimestampRequest(digest, nonce),
      });
      if (status !== 200) throw new Error(`it answered ${status}`);
      const info = parseTimestampResponse(body);
      if (!info.digest.equals(digest)) throw new Error("the timestamp is of another digest");
      if (!info.nonce?.equals(nonce)) throw new Error("the timestamp answers another request");
      requireCloseTime(info.time);
      return { evidence: body, claimedAt: info.time };
    },
  };
}
