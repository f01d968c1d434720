import { createHash } from "node:crypto";
import { now } from "#platform/clock.server.ts";
import { post } from "./post.server.ts";

/** A timestamp authority of RFC 3161, named by its host. */
export type TimestampAuthority = { name: string; url: string };

/** The whole response of a timestamp authority, and the time that it states. */
export type Timestamp = { evidence: Buffer; claimedAt: Date };

/** A time further from our own clock shows that one of the two is wrong. */
const MAX_DIFFERENCE_MS = 10 * 60 * 1000;

/**
 * Requests a timestamp of a checkpoint's bytes as we signed them. Throws an error with a message for the operator
 * unless the response fits the request and its time is within ten minutes of our clock.
 */
export async function requestTimestamp(url: string, note: string): Promise<Timestamp> {
  // Loaded here, because most installations have no authority and the library takes 40 ms of a start.
  const { createTimestampNonce, createTimestampRequest, parseTimestampResponse } = await import(
    "#domain/proof/timestamp-response.server.ts"
  );
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
  if (Math.abs(info.time.getTime() - now().getTime()) > MAX_DIFFERENCE_MS)
    throw new Error(`its time ${info.time.toISOString()} is more than ten minutes from our clock`);
  return { evidence: body, claimedAt: info.time };
}
