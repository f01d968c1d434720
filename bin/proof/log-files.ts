import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pLimit from "p-limit";

/** Reads one file of a log by its path below /proof, such as `log/checkpoint`. Returns null if it does not exist. */
export type ReadLogFile = (path: string) => Promise<Uint8Array | null>;

const CONCURRENCY = 4;
/** The path of a closed log, which has files of its own. */
const CLOSED_LOG = /^\/proof\/closed\/[1-9]\d{0,3}(?=\/?$)/;
const TIMEOUT_MS = 30_000;
/** Four times the largest bundle of 256 entries. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Returns a function that reads the files of a log: from a site if given a URL, or from a folder. */
export function openLogFiles(source: string): ReadLogFile {
  return isUrl(source) ? createDownloader(source) : createFolderReader(source);
}

/** Returns true for the URL of a site, false for the name of a folder. */
export function isUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source);
}

/**
 * Returns a function that downloads the files of a site's log, four at a time. `address` is the URL of any page of the
 * site, or of a closed log.
 */
function createDownloader(address: string): ReadLogFile {
  const site = URL.canParse(address) ? new URL(address) : null;
  if (!site || !["http:", "https:"].includes(site.protocol))
    throw new Error(`Not an http or https URL: ${address}`);
  const limit = pLimit(CONCURRENCY);
  const [folder = "/proof"] = CLOSED_LOG.exec(site.pathname) ?? [];
  return (path) => limit(() => download(new URL(`${folder}/${path}`, site.origin)));
}

async function download(url: URL): Promise<Uint8Array | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let problem: string;
  try {
    const response = await fetch(url, { signal });
    if (response.ok) return await readBody(response);
    await response.body?.cancel();
    if (response.status === 404) return null;
    problem = `the server returned ${response.status}`;
  } catch (error) {
    problem = signal.aborted
      ? `no response within ${TIMEOUT_MS / 1000} seconds`
      : describeFetchError(error);
  }
  throw new Error(`Can't download ${url}: ${problem}.`);
}

/** Throws as soon as the body is larger than any file of a log may be. */
async function readBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the cause of an error of fetch, whose own message is only "fetch failed". */
function describeFetchError(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}

/** Returns a function that reads the files of a downloaded log. Throws if the folder does not exist. */
function createFolderReader(folder: string): ReadLogFile {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${folder} is neither a folder nor a URL such as https://furlong.example`);
  return async (path) => {
    try {
      return await readFile(join(folder, path));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return null;
      throw new Error(`Can't read ${join(folder, path)} (${code}).`);
    }
  };
}

/** Writes the files of a log to a folder, under the same paths as on the site. */
export function writeLogFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  for (const [path, content] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
