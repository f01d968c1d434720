const MAX_SIDE = 800;
const QUALITY = 0.88;
/** Background of transparent images, the same as on the server. */
const BACKGROUND = "#f4efe3";
const ACCEPTED_TYPES = ["image/jpeg", "image/png", "image/webp"];

/**
 * Scales a photo down in the browser, to save mobile data and to convert formats the server does
 * not accept. Returns the original file if the browser cannot; the server validates it in any case.
 */
export async function shrinkPhoto(file: File): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, MAX_SIDE / Math.min(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    const canvasContext = canvas.getContext("2d");
    if (!canvasContext) return file;
    canvasContext.fillStyle = BACKGROUND;
    canvasContext.fillRect(0, 0, canvas.width, canvas.height);
    canvasContext.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const shrunk = await new Promise<Blob | null>((done) =>
      canvas.toBlob(done, "image/jpeg", QUALITY),
    );
    const isBetter = shrunk && (shrunk.size < file.size || !ACCEPTED_TYPES.includes(file.type));
    return isBetter ? shrunk : file;
  } catch {
    return file;
  }
}
