import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Encoding = "br" | "gzip" | "identity";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Below this, compressing costs more than it saves. */
const WORTH_IT_BYTES = 1_024;

/** The best encoding that a client says it takes. */
export function acceptedEncoding(acceptEncoding: string | undefined): Encoding {
  const accepted = acceptEncoding ?? "";
  if (/\bbr\b(?!\s*;\s*q=0(\.0+)?\b)/.test(accepted)) return "br";
  if (/\bgzip\b(?!\s*;\s*q=0(\.0+)?\b)/.test(accepted)) return "gzip";
  return "identity";
}

/** The body in that encoding: quick for a page made for one reader, thorough for one kept for many. */
export async function compress(
  body: Uint8Array,
  encoding: Encoding,
  effort: "quick" | "thorough",
): Promise<Uint8Array> {
  if (encoding === "br")
    return await brotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: effort === "quick" ? 3 : 10,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
      },
    });
  if (encoding === "gzip") return await zip(body, { level: effort === "quick" ? 3 : 9 });
  return body;
}

/** The same answer with its text, or with this page, compressed for this client, where that is worth it. */
export async function compressed(
  response: Response,
  acceptEncoding: string | undefined,
  page: Uint8Array<ArrayBuffer> | null = null,
): Promise<Response> {
  const type = response.headers.get("Content-Type") ?? "";
  const encoding = acceptedEncoding(acceptEncoding);
  const isText = /^text\/(?!event-stream)|json|x-script|xml|svg/.test(type);
  if (!page && (!response.body || !isText || response.headers.has("Content-Encoding")))
    return response;
  const { status } = response;
  const headers = new Headers(response.headers);
  headers.append("Vary", "Accept-Encoding");
  if (!page && encoding === "identity") return new Response(response.body, { status, headers });
  const body = page ?? new Uint8Array(await response.arrayBuffer());
  if (encoding === "identity" || body.byteLength < WORTH_IT_BYTES)
    return new Response(body, { status, headers });
  headers.set("Content-Encoding", encoding);
  const packed = (await compress(body, encoding, "quick")) as Uint8Array<ArrayBuffer>;
  return new Response(packed, { status, headers });
}
