import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Encoding = "br" | "gzip" | "identity";

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0+)?\b)/;

/** Smaller responses are not compressed. */
const MIN_BYTES = 1_024;

/** Returns the best encoding that a client accepts. */
export function negotiateEncoding(acceptEncoding: string | undefined): Encoding {
  const accepted = acceptEncoding ?? "";
  if (/\bbr\b(?!\s*;\s*q=0(\.0+)?\b)/.test(accepted)) return "br";
  if (ACCEPTS_GZIP.test(accepted)) return "gzip";
  return "identity";
}

/** Returns true if a client accepts gzip, even if it prefers another encoding. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return ACCEPTS_GZIP.test(acceptEncoding ?? "");
}

/**
 * Compression effort by expected number of requests. The home page takes 17.5 kB in 1.3 ms, 15.1 kB
 * in 2.8 ms or 13.4 kB in 280 ms.
 */
export type Effort = "quick" | "moderate" | "thorough";

const BROTLI_QUALITY: Record<Effort, number> = { quick: 3, moderate: 5, thorough: 10 };
const GZIP_LEVEL: Record<Effort, number> = { quick: 3, moderate: 5, thorough: 9 };

export async function compress(
  body: Uint8Array,
  encoding: Encoding,
  effort: Effort,
): Promise<Uint8Array> {
  if (encoding === "br")
    return await brotliAsync(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
        [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
      },
    });
  if (encoding === "gzip") return await gzipAsync(body, { level: GZIP_LEVEL[effort] });
  return body;
}

/**
 * Compresses the body of a text response, or `replacementBody` instead of it. Small bodies stay uncompressed.
 */
export async function compressResponse(
  response: Response,
  acceptEncoding: string | undefined,
  replacementBody: Uint8Array<ArrayBuffer> | null = null,
): Promise<Response> {
  const contentType = response.headers.get("Content-Type") ?? "";
  const encoding = negotiateEncoding(acceptEncoding);
  const isTextContent = /^text\/(?!event-stream)|json|x-script|xml|svg/.test(contentType);
  if (
    !replacementBody &&
    (!response.body || !isTextContent || response.headers.has("Content-Encoding"))
  )
    return response;
  const { status } = response;
  const headers = new Headers(response.headers);
  headers.append("Vary", "Accept-Encoding");
  if (!replacementBody && encoding === "identity")
    return new Response(response.body, { status, headers });
  const body = replacementBody ?? new Uint8Array(await response.arrayBuffer());
  if (encoding === "identity" || body.byteLength < MIN_BYTES)
    return new Response(body, { status, headers });
  headers.set("Content-Encoding", encoding);
  const compressedBody = (await compress(body, encoding, "quick")) as Uint8Array<ArrayBuffer>;
  return new Response(compressedBody, { status, headers });
}
