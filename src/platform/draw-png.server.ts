import { renderAsync } from "@resvg/resvg-js";

/**
 * An SVG as PNG, drawn beside the main thread with this one font. It is for drawings of our own: what
 * strangers send is never read as SVG.
 */
export async function drawPng(svg: string, fontFile: string): Promise<Buffer> {
  const picture = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: [fontFile] },
  });
  return picture.asPng();
}
