import { renderAsync } from "@resvg/resvg-js";

/**
 * Renders an SVG to PNG outside the main thread, with one font. For our own drawings only: SVG from users
 * is never parsed.
 */
export async function drawPng(svg: string, fontFile: string): Promise<Buffer> {
  const picture = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: [fontFile] },
  });
  return picture.asPng();
}
