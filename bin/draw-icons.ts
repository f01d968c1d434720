// Draws the icons in public/ from the logo: `node bin/furlong.mjs icons`, after public/favicon.svg has changed.
import { writeFileSync } from "node:fs";
import sharp from "sharp";

const GREEN = "#0d4630";
const LIGHT = "#f6f1e3";
// The logo of public/favicon.svg, in its 32 by 32 view box.
const LOGO = `
  <path fill="${LIGHT}" fill-rule="evenodd" d="M16 2.6a9.2 9.2 0 1 1 0 18.4 9.2 9.2 0 0 1 0-18.4ZM12.6 6.7v10.5h2.9v-3.7h3.9v-2.6h-3.9V9.3h4.4V6.7Z"/>
  <path stroke="${LIGHT}" stroke-width="2.8" d="M16 20.5V48"/>
  <path stroke="${LIGHT}" stroke-width="2" d="M4 26.5h9.4M18.6 26.5H28"/>`;

/** Returns the logo on green. `inset` leaves a margin for phones that crop icons to a shape. */
function icon(size: number, { inset = 0, radius = 0 } = {}): string {
  const scale = (32 - 2 * inset) / 32;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32">
    <rect width="32" height="32" rx="${radius}" fill="${GREEN}"/>
    <g transform="translate(${inset} ${inset}) scale(${scale})">${LOGO}</g>
  </svg>`;
}

/** Returns the link preview image: the winning post between rails, with a track behind it. */
function linkPreview(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630" fill="none">
    <rect width="1200" height="630" fill="${GREEN}"/>
    <rect x="-60" y="120" width="1320" height="560" rx="280" stroke="#16563c" stroke-width="44"/>
    <rect x="60" y="230" width="1080" height="560" rx="190" stroke="#124c35" stroke-width="20"/>
    <path d="M0 521h548M652 521h548" stroke="${LIGHT}" stroke-width="20"/>
    <path d="M0 571h540M660 571h540" stroke="${LIGHT}" stroke-width="8"/>
    ${[80, 270, 460, 740, 930, 1120].map((x) => `<path d="M${x} 521v120" stroke="${LIGHT}" stroke-width="14"/>`).join("")}
    <g transform="translate(600 60) scale(18) translate(-16 0)">
      <circle cx="16" cy="11.8" r="9" fill="${GREEN}"/>
      <path fill="${LIGHT}" fill-rule="evenodd" d="M16 2.6a9.2 9.2 0 1 1 0 18.4 9.2 9.2 0 0 1 0-18.4ZM12.6 6.7v10.5h2.9v-3.7h3.9v-2.6h-3.9V9.3h4.4V6.7Z"/>
      <path stroke="${LIGHT}" stroke-width="2.8" d="M16 20.5V32"/>
    </g>
  </svg>`;
}

async function draw(name: string, svg: string): Promise<void> {
  const png = await sharp(Buffer.from(svg)).png({ palette: true, effort: 10 }).toBuffer();
  writeFileSync(new URL(`../public/${name}`, import.meta.url), png);
  console.log(`public/${name}: ${png.length} bytes`);
}

await draw("icon-192.png", icon(192, { radius: 5 }));
await draw("icon-512.png", icon(512, { radius: 5 }));
await draw("icon-maskable-512.png", icon(512, { inset: 5 }));
await draw("apple-touch-icon.png", icon(180, { inset: 2 }));
await draw("share.png", linkPreview());
