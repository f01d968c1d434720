import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXT = /\.(js|css|svg|json|webmanifest|txt|html)$/;
const WORTH_IT_BYTES = 512;

/**
 * Writes a .br and a .gz file next to every text file of at least 512 bytes in a folder, so that no
 * request has to compress it.
 */
export async function precompress(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names
      .filter((name) => TEXT.test(name))
      .map(async (name) => {
        const file = join(folder, name);
        const body = await readFile(file);
        if (body.byteLength < WORTH_IT_BYTES) return;
        await Promise.all([
          promisify(brotliCompress)(body, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
          }).then((packed) => writeFile(`${file}.br`, packed)),
          promisify(gzip)(body, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
        ]);
      }),
  );
}
