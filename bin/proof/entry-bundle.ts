/**
 * Returns the entries of a bundle (C2SP tlog-tiles): each has its length as two bytes before it, big-endian. Returns
 * null unless there are exactly `count`, in valid UTF-8.
 */
export function parseEntryBundle(bytes: Uint8Array, count: number): string[] | null {
  const bundle = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const entries: string[] = [];
  let offset = 0;
  try {
    while (offset < bundle.length) {
      const start = offset + 2;
      offset = start + bundle.readUInt16BE(offset);
      if (offset > bundle.length) return null;
      entries.push(decoder.decode(bundle.subarray(start, offset)));
    }
  } catch {
    return null; // half a length, or not UTF-8
  }
  return entries.length === count ? entries : null;
}
