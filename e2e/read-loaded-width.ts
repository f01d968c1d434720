/** Returns the width of an image once it is loaded. Runs in the page. */
export async function readLoadedWidth(element: Element): Promise<number> {
  const image = element as HTMLImageElement;
  await image.decode();
  return image.naturalWidth;
}
