import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXT_FILES = /\.(js|css|svg|json|webmanifest|txt|html)$/;
const MIN_BYTES = 512;

/**
 * Writes a .br and a .gz file next to every text file of at least 512 bytes in a folder, so that no
 * request has to compress it.
 */
export async function precompress(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names
      .filter((name) => TEXT_FILES.test(name))
      .map(async (name) => {
        const file = join(folder, name);
        const body = await readFile(file);
        if (body.byteLength < MIN_BYTES) return;
        await Promise.all([
          promisify(brotliCompress)(body, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
          }).then((compressed) => writeFile(`${file}.br`, compressed)),
          promisify(gzip)(body, { level: 9 }).then((compressed) =>
            writeFile(`${file}.gz`, compressed),
          ),
        ]);
      }),
  );
}
