import { drawPng } from "#platform/draw-png.server.ts";

/** What a link is shown with where people share it: a few words beside a drawing. */
export type SharePicture = {
  /** What kind of page it leads to, in a word or two. */
  over: string;
  title: string;
  line: string;
  /** An SVG of ours, with its own colours, and how wide it is drawn. */
  drawing: { svg: string; width: number; height: number };
};

const FONT = "src/ui/fonts/archivo-narrow-bold.ttf";
const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 72;
const DRAWING_LEFT = 716;
const TEXT_WIDTH = DRAWING_LEFT - 2 * MARGIN;
/** How wide a letter of the font is on average, and a wide one, in parts of its size. */
const LETTER = 0.5;
const KEPT = 200;

const GREEN = "#0d4630";
const LIGHT = "#f6f1e3";
const FAINT = "#bcd0bf";
/** The colours of the drawings, as they are on light paper. */
const COLOURS: Record<string, string> = {
  ink: "#17201b",
  "ink-2": "#434b44",
  "ink-3": "#5b6159",
  sheet: "#fbf8f0",
  "green-ink": "#0f5239",
  "green-wash": "#dfe8d8",
};

const drawn = new Map<string, Promise<Buffer>>();

/** The picture as PNG, 1200 by 630; one that was drawn lately is not drawn again. */
export function drawSharePicture(picture: SharePicture): Promise<Buffer> {
  const svg = svgOf(picture);
  const kept = drawn.get(svg);
  if (kept) return kept;
  const png = drawPng(svg, FONT);
  png.catch(() => drawn.delete(svg));
  drawn.set(svg, png);
  const [oldest] = drawn.keys();
  if (drawn.size > KEPT && oldest) drawn.delete(oldest);
  return png;
}

function svgOf({ over, title, line, drawing }: SharePicture): string {
  const { lines, size } = fitted(title);
  const top = 250 - (lines.length - 1) * size * 0.5;
  const text = (y: number, fontSize: number, fill: string, words: string) =>
    `<text x="${MARGIN}" y="${y}" font-size="${fontSize}" fill="${fill}">${escaped(words)}</text>`;
  const place = {
    x: DRAWING_LEFT + (WIDTH - MARGIN - DRAWING_LEFT - drawing.width) / 2,
    y: (HEIGHT - drawing.height) / 2,
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="Furlong Condensed" font-weight="700">
<rect width="${WIDTH}" height="${HEIGHT}" fill="${GREEN}"/>
<rect x="${DRAWING_LEFT}" y="${MARGIN}" width="${WIDTH - MARGIN - DRAWING_LEFT}" height="${HEIGHT - 2 * MARGIN}" rx="24" fill="${LIGHT}"/>
<g transform="translate(${place.x} ${place.y})">${sized(drawing)}</g>
${text(top - size, 32, FAINT, over.toUpperCase())}
${lines.map((words, index) => text(top + index * size * 1.05, size, LIGHT, words)).join("\n")}
${text(top + (lines.length - 1) * size * 1.05 + 64, Math.min(40, TEXT_WIDTH / (LETTER * line.length)), FAINT, line)}
<path d="M${MARGIN} 500h${TEXT_WIDTH}M${MARGIN} 508h${TEXT_WIDTH}" stroke="${LIGHT}" stroke-width="3"/>
${text(558, 44, LIGHT, "Furlong")}
</svg>`;
}

/** The title on as few lines as its words allow, as large as fits beside the drawing. */
function fitted(title: string): { lines: string[]; size: number } {
  const words = title.split(" ");
  const choices = [1, 2, 3].map((count) => {
    const lines = broken(words, count);
    const longest = Math.max(...lines.map((each) => each.length));
    return { lines, size: Math.min(96, TEXT_WIDTH / (LETTER * longest)) };
  });
  return choices.reduce((best, choice) => (choice.size > best.size * 1.2 ? choice : best));
}

/** The words on that many lines at most, of lengths as equal as words allow. */
function broken(words: readonly string[], count: number): string[] {
  const room = words.join(" ").length / count;
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || (last.length + word.length / 2 > room && lines.length < count))
      lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function sized({ svg, width, height }: SharePicture["drawing"]): string {
  return svg
    .replace(/^<svg[^>]*>/, (tag) =>
      tag
        .replace(/ (?:width|height)="[^"]*"/g, "")
        .replace("<svg", `<svg width="${width}" height="${height}"`),
    )
    .replace(/var\(--([\w-]+)\)/g, (_, name: string) => COLOURS[name] ?? COLOURS.ink ?? "");
}

function escaped(words: string): string {
  return (
    words
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      // What XML cannot hold at all.
      .replace(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
  );
}
