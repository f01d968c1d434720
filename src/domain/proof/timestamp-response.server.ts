import { randomBytes } from "node:crypto";
import { fromBER, Integer, Null, OctetString } from "asn1js";
import {
  AlgorithmIdentifier,
  MessageImprint,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from "pkijs";

/** The object identifiers of a timestamp token (RFC 3161, RFC 5652). */
const SIGNED_DATA = "1.2.840.113549.1.7.2";
const TST_INFO = "1.2.840.113549.1.9.16.1.4";
const SHA_256 = "2.16.840.1.101.3.4.2.1";

/** The contents of a timestamp token. Its signature is not verified here. */
export type TimestampInfo = { digest: Buffer; nonce: Buffer | null; time: Date };

/** Thrown for a response that is not a granted timestamp. The message is for the operator. */
export class TimestampResponseError extends Error {}

/** Returns a random nonce of 8 bytes that are also a valid positive DER integer. */
export function createTimestampNonce(): Buffer {
  const nonce = randomBytes(8);
  nonce[0] = nonce[0]! & 0x7f || 1;
  return nonce;
}

/** Returns a request for a timestamp of a SHA-256 digest (RFC 3161, 2.4.1) that asks for the certificate too. */
export function createTimestampRequest(digest: Buffer, nonce: Buffer): Buffer {
  if (digest.length !== 32 || nonce.length !== 8 || nonce[0]! < 1 || nonce[0]! > 0x7f)
    throw new RangeError("a request needs 32 bytes of digest and 8 of nonce");
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({
        algorithmId: SHA_256,
        algorithmParams: new Null(),
      }),
      hashedMessage: new OctetString({ valueHex: new Uint8Array(digest) }),
    }),
    nonce: new Integer({ valueHex: new Uint8Array(nonce) }),
    certReq: true,
  });
  return Buffer.from(request.toSchema().toBER());
}

/**
 * Parses a timestamp response (RFC 3161, 2.4.2). Throws a TimestampResponseError if the timestamp was not granted or
 * the bytes are not a timestamp response.
 */
export function parseTimestampResponse(bytes: Buffer): TimestampInfo {
  try {
    return parse(bytes);
  } catch (error) {
    if (error instanceof TimestampResponseError) throw error;
    fail((error as Error).message);
  }
}

function parse(bytes: Buffer): TimestampInfo {
  const { status, timeStampToken } = new TimeStampResp({ schema: parseElement(bytes) });
  // 0 is granted, 1 granted with modifications; the caller compares digest and nonce with the request.
  if (status.status !== 0 && status.status !== 1)
    throw new TimestampResponseError(`the authority refused: status ${status.status}`);
  if (timeStampToken?.contentType !== SIGNED_DATA) fail("it has no signed data");
  const { encapContentInfo } = new SignedData({ schema: timeStampToken.content });
  const { eContentType, eContent } = encapContentInfo;
  if (eContentType !== TST_INFO || !eContent) fail("it holds something else");
  const { messageImprint, nonce, genTime } = new TSTInfo({
    schema: parseElement(eContent.valueBlock.valueHexView),
  });
  if (messageImprint.hashAlgorithm.algorithmId !== SHA_256) fail("the digest is not SHA-256");
  return {
    digest: Buffer.from(messageImprint.hashedMessage.valueBlock.valueHexView),
    nonce: nonce ? Buffer.from(nonce.valueBlock.valueHexView) : null,
    time: genTime,
  };
}

/** Parses the only ASN.1 element in the bytes. */
function parseElement(bytes: Uint8Array) {
  const { offset, result } = fromBER(bytes);
  if (offset !== bytes.length) fail(result.error || "it is followed by something else");
  return result;
}

function fail(problem: string): never {
  throw new TimestampResponseError(`not a timestamp response: ${problem}`);
}
