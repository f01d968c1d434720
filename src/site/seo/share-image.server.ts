import { renderPng } from "#platform/render-png.server.ts";

/** The preview image of a shared link: text beside a drawing. */
export type ShareImage = {
  /** The kind of page. */
  over: string;
  title: string;
  line: string;
  /** An SVG that uses the CSS variables of the theme, with its size in the image in pixels. */
  drawing: { svg: string; width: number; height: number };
};

const FONT = "src/ui/fonts/archivo-narrow-bold.ttf";
const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 72;
const DRAWING_LEFT = 716;
const TEXT_WIDTH = DRAWING_LEFT - 2 * MARGIN;
/** The average width of a letter, relative to the font size. */
const LETTER_WIDTH = 0.5;
const MAX_CACHED = 200;

const GREEN = "#0d4630";
const LIGHT = "#f6f1e3";
const FAINT = "#bcd0bf";
/** The CSS variables that the drawings use, for the light theme. */
const COLOURS: Record<string, string> = {
  ink: "#17201b",
  "ink-2": "#434b44",
  "ink-3": "#5b6159",
  sheet: "#fbf8f0",
  "green-ink": "#0f5239",
  "green-wash": "#dfe8d8",
};

const cache = new Map<string, Promise<Buffer>>();

/** Renders a PNG of 1200 by 630 pixels. Caches the latest images. */
export function renderShareImage(image: ShareImage): Promise<Buffer> {
  const svg = buildSvg(image);
  const cached = cache.get(svg);
  if (cached) return cached;
  const png = renderPng(svg, FONT);
  png.catch(() => cache.delete(svg));
  cache.set(svg, png);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest) cache.delete(oldest);
  return png;
}

function buildSvg({ over, title, line, drawing }: ShareImage): string {
  const { lines, size } = fitTitle(title);
  const top = 250 - (lines.length - 1) * size * 0.5;
  const text = (y: number, fontSize: number, fill: string, content: string) =>
    `<text x="${MARGIN}" y="${y}" font-size="${fontSize}" fill="${fill}">${escapeXml(content)}</text>`;
  const position = {
    x: DRAWING_LEFT + (WIDTH - MARGIN - DRAWING_LEFT - drawing.width) / 2,
    y: (HEIGHT - drawing.height) / 2,
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="Furlong Condensed" font-weight="700">
<rect width="${WIDTH}" height="${HEIGHT}" fill="${GREEN}"/>
<rect x="${DRAWING_LEFT}" y="${MARGIN}" width="${WIDTH - MARGIN - DRAWING_LEFT}" height="${HEIGHT - 2 * MARGIN}" rx="24" fill="${LIGHT}"/>
<g transform="translate(${position.x} ${position.y})">${prepareDrawing(drawing)}</g>
${text(top - size, 32, FAINT, over.toUpperCase())}
${lines.map((words, index) => text(top + index * size * 1.05, size, LIGHT, words)).join("\n")}
${text(top + (lines.length - 1) * size * 1.05 + 64, Math.min(40, TEXT_WIDTH / (LETTER_WIDTH * line.length)), FAINT, line)}
<path d="M${MARGIN} 500h${TEXT_WIDTH}M${MARGIN} 508h${TEXT_WIDTH}" stroke="${LIGHT}" stroke-width="3"/>
${text(558, 44, LIGHT, "Furlong")}
</svg>`;
}

/** Breaks the title into one to three lines, as large as fits beside the drawing. */
function fitTitle(title: string): { lines: string[]; size: number } {
  const words = title.split(" ");
  const candidates = [1, 2, 3].map((count) => {
    const lines = breakLines(words, count);
    const longest = Math.max(...lines.map((line) => line.length));
    return { lines, size: Math.min(96, TEXT_WIDTH / (LETTER_WIDTH * longest)) };
  });
  return candidates.reduce((best, candidate) =>
    candidate.size > best.size * 1.2 ? candidate : best,
  );
}

/** Breaks words into at most `count` lines of similar length. */
function breakLines(words: readonly string[], count: number): string[] {
  const targetLength = words.join(" ").length / count;
  const lines: string[] = [];
  for (const word of words) {
    const lastLine = lines.at(-1);
    if (
      lastLine === undefined ||
      (lastLine.length + word.length / 2 > targetLength && lines.length < count)
    )
      lines.push(word);
    else lines[lines.length - 1] = `${lastLine} ${word}`;
  }
  return lines;
}

function prepareDrawing({ svg, width, height }: ShareImage["drawing"]): string {
  return svg
    .replace(/^<svg[^>]*>/, (tag) =>
      tag
        .replace(/ (?:width|height)="[^"]*"/g, "")
        .replace("<svg", `<svg width="${width}" height="${height}"`),
    )
    .replace(/var\(--([\w-]+)\)/g, (_, name: string) => COLOURS[name] ?? COLOURS.ink ?? "");
}

function escapeXml(text: string): string {
  return (
    text
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      // Removes characters that XML does not allow.
      .replace(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
  );
}
