import encodeQR from "qr";

/** A picture of squares for an app's camera: its side, and the path of the dark ones. */
export type QrCode = { side: number; path: string };

/** Draws an address for the camera of an authenticator app. */
export function drawQrCode(address: string): QrCode {
  const rows = encodeQR(address, "raw", { border: 4 });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x, y]] : [])));
  return { side: rows.length, path: dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join("") };
}
