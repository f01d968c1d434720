const MAX_SIDE = 800;
const QUALITY = 0.88;
/** What shows through a transparent picture: the same paper as where the server draws it. */
const GROUND = "#f4efe3";
const TAKEN_AS_IT_IS = ["image/jpeg", "image/png", "image/webp"];

/**
 * The photo as small as it needs to be, drawn anew in the browser, so that a phone does not send five
 * megabytes of prepaid data, and that a format the server does not take becomes one that it does. Where
 * the browser cannot, the file as it is: the server decides anyway.
 */
export async function shrinkPhoto(file: File): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, MAX_SIDE / Math.min(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    const brush = canvas.getContext("2d");
    if (!brush) return file;
    brush.fillStyle = GROUND;
    brush.fillRect(0, 0, canvas.width, canvas.height);
    brush.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const shrunk = await new Promise<Blob | null>((done) =>
      canvas.toBlob(done, "image/jpeg", QUALITY),
    );
    const isBetter = shrunk && (shrunk.size < file.size || !TAKEN_AS_IT_IS.includes(file.type));
    return isBetter ? shrunk : file;
  } catch {
    return file;
  }
}
