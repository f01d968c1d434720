import { type HttpContext, jsonError } from "./http/http.server.ts";
import { readUpload } from "./uploads.server.ts";

/** GET /uploads/:id/:file: serves an image that the application has encoded. */
export async function serveUpload(c: HttpContext): Promise<Response> {
  const bytes = await readUpload(c.req.param("id") ?? "", c.req.param("file") ?? "");
  if (!bytes) return jsonError(c, 404, "Picture not found.");
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": "image/webp",
      "Content-Length": String(bytes.length),
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  });
}
