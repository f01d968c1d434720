import encodeQR from "qr";

/** A QR code: its side length in modules and the SVG path of the dark ones. */
export type QrCode = { side: number; path: string };

/** Returns the QR code of a URL. */
export function drawQrCode(url: string): QrCode {
  const rows = encodeQR(url, "raw", { border: 4 });
  const darkModules = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [[x, y]] : [])),
  );
  return { side: rows.length, path: darkModules.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join("") };
}
