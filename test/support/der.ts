/** Returns a DER element. */
export function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 0x80) return Buffer.concat([Buffer.of(tag, content.length), content]);
  const length = Buffer.from(content.length.toString(16).replace(/^(..)*.$/, "0$&"), "hex");
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, content]);
}

export type TimestampFields = {
  digest: Buffer;
  nonce: Buffer | null;
  time: Date;
  status?: number;
  digestOid?: string;
  /** Adds the optional accuracy and ordering fields before the nonce. */
  accuracy?: boolean;
};

/** Returns an RFC 3161 timestamp response. Its signature is all zeros, because the application does not verify it. */
export function createTimestampResponse({
  digest,
  nonce,
  time,
  status = 0,
  digestOid = "608648016503040201",
  accuracy = true,
}: TimestampFields): Buffer {
  const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
  const integer = (...bytes: number[]) => der(0x02, Buffer.of(...bytes));
  const statusInfo = der(0x30, integer(status));
  if (status > 1) return der(0x30, statusInfo);
  const [whole = "", fraction = ""] = time
    .toISOString()
    .replace(/[-T:Z]/g, "")
    .split(".");
  const digits = fraction.replace(/0+$/, "");
  const info = der(
    0x30,
    integer(1),
    oid("2a0304"),
    der(0x30, der(0x30, oid(digestOid), der(0x05)), der(0x04, digest)),
    integer(2),
    der(0x18, Buffer.from(`${whole}${digits ? `.${digits}` : ""}Z`)),
    ...(accuracy ? [der(0x30, integer(1)), der(0x01, Buffer.of(0xff))] : []),
    ...(nonce ? [der(0x02, nonce)] : []),
    ...(accuracy ? [der(0xa0, der(0xa4, der(0x30)))] : []),
  );
  const signedData = der(
    0x30,
    integer(3),
    der(0x31, der(0x30, oid("608648016503040201"))),
    der(0x30, oid("2a864886f70d0109100104"), der(0xa0, der(0x04, info))),
    der(
      0x31,
      der(
        0x30,
        integer(1),
        der(0x30, der(0x30), integer(2)),
        der(0x30, oid("608648016503040201")),
        der(0x30, oid("2a8648ce3d040302")),
        der(0x04, Buffer.alloc(70)),
      ),
    ),
  );
  const contentInfo = der(0x30, oid("2a864886f70d010702"), der(0xa0, signedData));
  return der(0x30, statusInfo, contentInfo);
}
