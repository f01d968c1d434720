import type { HttpContext } from "#platform/http/http.server.ts";

const MANIFEST = {
  id: "/",
  name: "Furlong",
  short_name: "Furlong",
  description: "South African racing tips by the card.",
  lang: "en-ZA",
  start_url: "/",
  scope: "/",
  display: "minimal-ui",
  background_color: "#f4efe3",
  theme_color: "#0d4630",
  icons: [
    { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
    { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
    { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
    { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
  ],
  shortcuts: [
    { name: "My cards", url: "/my-cards" },
    { name: "Racing tracks", url: "/racing-tracks" },
  ],
};

/** GET /manifest.webmanifest: lets a phone install the application. */
export async function webManifest(c: HttpContext): Promise<Response> {
  c.header("Cache-Control", "public, max-age=3600");
  c.header("Content-Type", "application/manifest+json");
  return c.body(JSON.stringify(MANIFEST));
}
