import { randomBytes } from "node:crypto";
import { constants, crc32, deflateRawSync, gunzipSync } from "node:zlib";

/**
 * A text of a page that is replaced with a value in each response. It must contain a random part, so that
 * it cannot occur in the page by chance. If the length is fixed, all values have as many bytes as the text.
 */
export type Marker = { text: string; value: string; hasFixedLength: boolean };

/** A page whose common text is stored as bytes, plain and compressed. */
export type PageTemplate = {
  plain: readonly (Buffer | Value)[];
  /** Parts of one deflate stream, between which values are inserted. */
  deflated: readonly (Buffer | Value)[];
};

/** The place of a value in a template, by the value's name. */
type Value = { name: string };

/** The values of a response by name. */
export type TemplateValues = Readonly<Record<string, string>>;

/** The size of deflate's window: back-references can reach this many bytes back. */
const WINDOW_BYTES = 32_768;
/** Below the window size, so that the compressor still finds the earlier value. */
const MAX_REFERENCE_BYTES = 30_000;
const DEFLATE_LEVEL = 6;
const MAX_STORED_BYTES = 65_535;
/** Control characters except tab, line feed and carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a page with them is refused
const CONTROL_CHARACTERS = /[\0-\x08\x0b\x0c\x0e-\x1f]/;
/** Bytes that occur in no page: those control characters, and bytes that UTF-8 never uses. */
const PLACEHOLDER_BYTES = Array.from({ length: 256 }, (_, byte) => byte).filter(
  (byte) =>
    (byte > 0 && byte < 0x20 && ![9, 10, 13].includes(byte)) ||
    [0xc0, 0xc1].includes(byte) ||
    byte > 0xf4,
);
/** Initial history: a byte that no text contains, because the compressor never refers to the first byte. */
const NO_HISTORY = Buffer.from([0]);
const EMPTY = Buffer.alloc(0);
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty last block, which ends a deflate stream. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/**
 * Splits a page at its markers and compresses the text between them. Returns null for a page with
 * control characters, which neither HTML nor JSON contains.
 *
 * The compressed parts form one deflate stream in which a value is an uncompressed block. When a
 * value of a fixed length is repeated soon, the compressed text refers back to the first.
 */
export function createPageTemplate(page: string, markers: readonly Marker[]): PageTemplate | null {
  if (CONTROL_CHARACTERS.test(page)) return null;
  const pieces = split(page, markers);
  const template = compressPieces(pieces, { canRefer: true });
  return isDeflatedCorrectly(template, markers)
    ? template
    : compressPieces(pieces, { canRefer: false });
}

function split(page: string, markers: readonly Marker[]): (Buffer | Marker)[] {
  const byText = new Map(markers.map((marker) => [marker.text, marker]));
  const longestFirst = [...byText.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escapeForPattern).join("|"), "g");
  const pieces: (Buffer | Marker)[] = [];
  let position = 0;
  for (const match of page.matchAll(pattern)) {
    const marker = byText.get(match[0]);
    if (!marker) continue;
    if (match.index > position) pieces.push(Buffer.from(page.slice(position, match.index)));
    pieces.push(marker);
    position = match.index + match[0].length;
  }
  if (position < page.length) pieces.push(Buffer.from(page.slice(position)));
  return pieces;
}

/**
 * Compresses the text between the values. For a value of fixed length, the compressor sees a placeholder of
 * bytes that no page contains, so that no other text refers back to the value. After a value of variable
 * length, the distance to earlier text is unknown, so the history is reset.
 */
function compressPieces(
  pieces: readonly (Buffer | Marker)[],
  { canRefer }: { canRefer: boolean },
): PageTemplate {
  const plain = pieces.map((piece) => (Buffer.isBuffer(piece) ? piece : { name: piece.value }));
  const deflated: (Buffer | Value)[] = [];
  const placeholders = new Map<string, Buffer>();
  const lastPositions = new Map<string, number>();
  let position = 0;
  let history = NO_HISTORY;
  let run: Buffer[] = [];
  const remember = (bytes: Buffer) => {
    history = Buffer.concat([history, bytes]).subarray(-WINDOW_BYTES);
  };
  const finishRun = () => {
    if (run.length === 0) return;
    const bytes = Buffer.concat(run);
    run = [];
    deflated.push(
      deflateRawSync(bytes, {
        level: DEFLATE_LEVEL,
        finishFlush: constants.Z_SYNC_FLUSH,
        dictionary: history,
      }),
    );
    remember(bytes);
  };
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) {
      run.push(piece);
      position += piece.byteLength;
      continue;
    }
    const { value, hasFixedLength } = piece;
    if (!hasFixedLength) {
      finishRun();
      deflated.push({ name: value });
      history = NO_HISTORY;
      lastPositions.clear();
      continue;
    }
    const placeholder =
      placeholders.get(value) ?? createPlaceholder(piece, { index: placeholders.size });
    placeholders.set(value, placeholder);
    const lastPosition = lastPositions.get(value);
    if (canRefer && lastPosition !== undefined && position - lastPosition < MAX_REFERENCE_BYTES)
      run.push(placeholder);
    else {
      finishRun();
      deflated.push({ name: value });
      remember(placeholder);
    }
    lastPositions.set(value, position);
    position += placeholder.byteLength;
  }
  finishRun();
  return { plain, deflated };
}

/** Returns bytes of the marker's length that occur in no page, in a different order for each marker. */
function createPlaceholder({ text }: Marker, { index }: { index: number }): Buffer {
  const step = 2 * index + 1;
  return Buffer.from(
    Array.from(
      { length: Buffer.byteLength(text) },
      (_, at) => PLACEHOLDER_BYTES[(at * step) % PLACEHOLDER_BYTES.length] ?? 0,
    ),
  );
}

/**
 * Returns true if the template decompresses to the plain page when filled with random values. The compressed
 * parts do not depend on the values, so this proves it for all values.
 */
function isDeflatedCorrectly(template: PageTemplate, markers: readonly Marker[]): boolean {
  const values = Object.fromEntries(
    markers.map(({ text, value }) => {
      const length = Buffer.byteLength(text);
      return [value, randomBytes(length).toString("hex").slice(0, length)];
    }),
  );
  try {
    return gunzipSync(fillTemplateAsGzip(template, values)).equals(fillTemplate(template, values));
  } catch {
    return false;
  }
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Returns the text of a template between its values. */
export function templateTexts({ plain }: PageTemplate): string[] {
  return plain.flatMap((part) => (Buffer.isBuffer(part) ? [part.toString()] : []));
}

/** Returns the page with these values. */
export function fillTemplate({ plain }: PageTemplate, values: TemplateValues): Buffer<ArrayBuffer> {
  return Buffer.concat(
    plain.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(readValue(values, part.name)))),
  );
}

/** Returns the page with these values in gzip format. Only the checksum is computed; nothing is recompressed. */
export function fillTemplateAsGzip(
  { plain, deflated }: PageTemplate,
  values: TemplateValues,
): Buffer<ArrayBuffer> {
  const valueBytes = new Map<string, Buffer>();
  let checksum = 0;
  let length = 0;
  for (const part of plain) {
    let bytes = Buffer.isBuffer(part) ? part : valueBytes.get(part.name);
    if (!bytes && !Buffer.isBuffer(part)) {
      bytes = Buffer.from(readValue(values, part.name));
      valueBytes.set(part.name, bytes);
    }
    if (!bytes) continue;
    checksum = crc32(bytes, checksum);
    length += bytes.byteLength;
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(length, 4);
  const blocks = deflated.map((part) =>
    Buffer.isBuffer(part) ? part : storeUncompressed(valueBytes.get(part.name) ?? EMPTY),
  );
  return Buffer.concat([GZIP_HEADER, ...blocks, LAST_BLOCK, trailer]);
}

function readValue(values: TemplateValues, name: string): string {
  const value = values[name];
  if (value === undefined) throw new Error(`The template has no value for ${name}.`);
  return value;
}

/** Returns a deflate block that contains these bytes uncompressed. */
function storeUncompressed(bytes: Buffer): Buffer {
  const { byteLength } = bytes;
  if (byteLength > MAX_STORED_BYTES) throw new Error("A value in a template is too long.");
  const block = Buffer.allocUnsafe(byteLength + 5);
  block[0] = 0;
  block.writeUInt16LE(byteLength, 1);
  block.writeUInt16LE(byteLength ^ 0xffff, 3);
  bytes.copy(block, 5);
  return block;
}
