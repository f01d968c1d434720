import { randomBytes } from "node:crypto";

/** The object identifiers of a timestamp token (RFC 3161, RFC 5652), as DER contents in hexadecimal. */
const SIGNED_DATA = "2a864886f70d010702";
const TST_INFO = "2a864886f70d0109100104";
const SHA_256 = "608648016503040201";

const TAG = {
  integer: 0x02,
  octetString: 0x04,
  objectIdentifier: 0x06,
  generalizedTime: 0x18,
  sequence: 0x30,
  explicit0: 0xa0,
} as const;

/** The contents of a timestamp token. Its signature is not verified here. */
export type TimestampInfo = { digest: Buffer; nonce: Buffer | null; time: Date };

/** Thrown for a response that is not a granted timestamp in DER. The message is for the operator. */
export class TimestampResponseError extends Error {}

/** Returns a random nonce of 8 bytes that are also a valid positive DER integer. */
export function createTimestampNonce(): Buffer {
  const nonce = randomBytes(8);
  nonce[0] = nonce[0]! & 0x7f || 1;
  return nonce;
}

/**
 * Returns a request for a timestamp of a SHA-256 digest (RFC 3161, 2.4.1) that asks for the certificate too. The
 * digest and nonce have fixed lengths, so the bytes around them are constant.
 */
export function createTimestampRequest(digest: Buffer, nonce: Buffer): Buffer {
  if (digest.length !== 32 || nonce.length !== 8 || nonce[0]! < 1 || nonce[0]! > 0x7f)
    throw new RangeError("a request needs 32 bytes of digest and 8 of nonce");
  return Buffer.concat([
    Buffer.from("30430201013031300d060960864801650304020105000420", "hex"),
    digest,
    Buffer.from("0208", "hex"),
    nonce,
    Buffer.from("0101ff", "hex"),
  ]);
}

/**
 * Parses a timestamp response (RFC 3161, 2.4.2). Throws a TimestampResponseError if the timestamp was not granted or
 * the bytes are not a timestamp response in DER.
 */
export function parseTimestampResponse(bytes: Buffer): TimestampInfo {
  const [status, contentInfo] = readSequence(readOnly(bytes));
  const code = readContent(status && readSequence(status)[0], TAG.integer);
  // 0 is granted, 1 granted with modifications; the caller compares digest and nonce with the request.
  if (code.length !== 1 || code[0]! > 1)
    throw new TimestampResponseError(`the authority refused: status ${code.toString("hex")}`);
  const [, , encapsulated] = readSequence(
    readOnly(readTyped(contentInfo, SIGNED_DATA, TAG.explicit0)),
  );
  const octets = readOnly(readTyped(encapsulated, TST_INFO, TAG.explicit0));
  const [, , imprint, , time, ...options] = readSequence(
    readOnly(readContent(octets, TAG.octetString)),
  );
  const [algorithm, digest] = imprint ? readSequence(imprint) : [];
  const oid = readContent(algorithm && readSequence(algorithm)[0], TAG.objectIdentifier);
  if (oid.toString("hex") !== SHA_256) fail("the digest is not SHA-256");
  const nonce = options.find(({ tag }) => tag === TAG.integer);
  return {
    digest: readContent(digest, TAG.octetString),
    nonce: nonce?.content ?? null,
    time: parseTime(readContent(time, TAG.generalizedTime).toString("latin1")),
  };
}

type Element = { tag: number; content: Buffer };

function fail(problem: string): never {
  throw new TimestampResponseError(`not a timestamp response: ${problem}`);
}

/** Parses the DER elements that fill the bytes. Accepts only one-byte tags and the shortest definite lengths. */
function readElements(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const tag = bytes[offset]!;
    const first = bytes[offset + 1];
    if (first === undefined || (tag & 0x1f) === 0x1f) fail("a tag cannot be read");
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const start = offset + 2 + lengthBytes;
    if ((first >= 0x80 && lengthBytes === 0) || lengthBytes > 4 || start > bytes.length)
      fail("a length cannot be read");
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(offset + 2, lengthBytes);
    if (lengthBytes > 0 && (length < 0x80 || bytes[offset + 2] === 0)) fail("a length is padded");
    if (start + length > bytes.length) fail("it is cut off");
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    offset = start + length;
  }
  return elements;
}

/** Returns the only element in the bytes. */
function readOnly(bytes: Buffer): Element {
  const [element, ...rest] = readElements(bytes);
  if (!element || rest.length > 0) fail("it does not have one element where it should");
  return element;
}

function readContent(element: Element | undefined, tag: number): Buffer {
  if (element?.tag !== tag) fail("an element has another type");
  return element.content;
}

function readSequence(element: Element): Element[] {
  return readElements(readContent(element, TAG.sequence));
}

/** Returns the contents of a sequence's second element. The first must be this object identifier. */
function readTyped(element: Element | undefined, oid: string, tag: number): Buffer {
  const [type, value] = element ? readSequence(element) : [];
  if (readContent(type, TAG.objectIdentifier).toString("hex") !== oid)
    fail("it holds something else");
  return readContent(value, tag);
}

/** Parses a DER GeneralizedTime: UTC with seconds and an optional fraction without trailing zeros. */
function parseTime(text: string): Date {
  const [, year, month, day, hour, minute, second, fraction = ""] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d*[1-9])?Z$/.exec(text) ?? [];
  const whole = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const time = new Date(`${whole}Z`);
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(whole))
    fail("its time cannot be read");
  return new Date(time.getTime() + Math.floor(Number(`0${fraction}`) * 1000));
}
