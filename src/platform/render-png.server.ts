import { renderAsync } from "@resvg/resvg-js";

/**
 * Renders an SVG to PNG outside the main thread, with one font. Must only be called with the
 * application's own SVG, never with user input.
 */
export async function renderPng(svg: string, fontFile: string): Promise<Buffer> {
  const image = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: [fontFile] },
  });
  return image.asPng();
}
