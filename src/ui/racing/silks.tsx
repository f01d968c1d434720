import { createContext, type ReactNode, use, useId } from "react";
import { createSilkDesign, type SilkDesign } from "./silk-design.ts";

type SilksProps = {
  /** The name that determines the design. */
  name: string;
  /** The accessible name; without it the image is decorative. */
  label?: string;
  className?: string;
};

const VIEW_BOX = "0 0 64 66";
/** The parts: sleeves, body and cap. */
const shapes = {
  s: "M21 24.5 13 29.5 6.5 51.5l7.5 3L21 38ZM43 24.5l8 5 6.5 22-7.5 3L43 38Z",
  b: "M21 24.5 28 20.5q4 3 8 0l7 4V62q-11 2.5-22 0Z",
  c: "M22 14.5C22 7 26 3 32 3s10 4 10 11.5Z",
};
const outlineShape = `${shapes.s}${shapes.b}${shapes.c}M19.5 14.5h25q.8 3.5-2.5 3.5H22q-3.3 0-2.5-3.5Z`;
const torsoShape = shapes.s + shapes.b;
const hatShape = `${shapes.c}M20.1 15.1h23.8q.2 2.3-2 2.3H22.1q-2.2 0-2-2.3Z`;

/** The symbols of the page's silks by name; empty outside a SilkSheet. */
const SilkSheetContext = createContext<ReadonlyMap<string, string>>(new Map());

/**
 * Draws the silks of these names once, so that each image of them in the children is a reference to the
 * drawing. A page may contain one sheet. Silks of other names are drawn in place.
 */
export function SilkSheet({ names, children }: { names: readonly string[]; children: ReactNode }) {
  const symbolIds = new Map([...new Set(names)].map((name, index) => [name, `silk${index}`]));
  return (
    <SilkSheetContext value={symbolIds}>
      <svg width="0" height="0" className="absolute" aria-hidden="true">
        <SilkClips prefix="silk-" />
        <path id="silk-t" d={torsoShape} />
        <path id="silk-h" d={hatShape} />
        <Outline id="silk-o" />
        {[...new Set([...symbolIds.keys()].flatMap(listPatterns))].map((pattern) => (
          <path
            key={pattern}
            id={`silk-${pattern}`}
            d={findShape(pattern)}
            clipPath={`url(#silk-${pattern[0]})`}
          />
        ))}
        {[...symbolIds].map(([name, id]) => (
          <symbol key={id} id={id} viewBox={VIEW_BOX}>
            <Drawing name={name} prefix="silk-" isInSheet />
          </symbol>
        ))}
      </svg>
      {children}
    </SilkSheetContext>
  );
}

/** A jockey's silks generated from a name: body, sleeves and cap in traditional patterns. */
export function Silks({ name, label, className = "size-10" }: SilksProps) {
  const prefix = useId();
  const symbolId = use(SilkSheetContext).get(name);
  const attributes = {
    className,
    role: label ? "img" : undefined,
    "aria-label": label,
    "aria-hidden": label ? undefined : true,
  };
  if (symbolId) {
    return (
      // biome-ignore lint/a11y/noSvgWithoutTitle: labelled by its attributes or hidden
      <svg {...attributes}>
        <use href={`#${symbolId}`} />
      </svg>
    );
  }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: labelled by its attributes or hidden
    <svg viewBox={VIEW_BOX} width="40" height="41" {...attributes}>
      <SilkClips prefix={prefix} />
      <Drawing name={name} prefix={prefix} />
    </svg>
  );
}

/** The clip paths of the three parts, and their shapes for references. */
function SilkClips({ prefix }: { prefix: string }) {
  return Object.entries(shapes).map(([part, shape]) => (
    <clipPath key={part} id={`${prefix}${part}`}>
      <path id={`${prefix}${part}p`} d={shape} />
    </clipPath>
  ));
}

function Outline({ id }: { id?: string }) {
  return (
    <path
      id={id}
      d={outlineShape}
      fill="none"
      stroke="var(--ink)"
      strokeOpacity="0.75"
      strokeWidth="1.25"
      strokeLinejoin="round"
    />
  );
}

function Drawing({
  name,
  prefix,
  isInSheet = false,
}: {
  name: string;
  /** The prefix of the ids of the clip paths. */
  prefix: string;
  /** The sheet contains the shapes and patterns. */
  isInSheet?: boolean;
}) {
  const { body, sleeves, cap, colours } = createSilkDesign(name);
  const [ground, pattern, third] = colours;
  const renderShape = (id: string, shape: string, fill: string) =>
    isInSheet ? <use href={`#${prefix}${id}`} fill={fill} /> : <path d={shape} fill={fill} />;
  const renderPattern = (part: keyof typeof patternShapes, pattern: string, fill: string) => {
    const shape = findShape(`${part}-${pattern}`);
    if (!shape) return null;
    return isInSheet ? (
      <use href={`#${prefix}${part}-${pattern}`} fill={fill} />
    ) : (
      <path d={shape} fill={fill} clipPath={`url(#${prefix}${part})`} />
    );
  };
  return (
    <>
      {renderShape("t", torsoShape, ground)}
      {sleeves === "plain" && third !== ground ? (
        <use href={`#${prefix}sp`} fill={third} />
      ) : (
        renderPattern("s", sleeves, pattern)
      )}
      {renderPattern("b", body, pattern)}
      {renderShape("h", hatShape, third)}
      {renderPattern("c", cap, third === pattern ? ground : pattern)}
      {isInSheet ? <use href={`#${prefix}o`} /> : <Outline />}
    </>
  );
}

/** Returns the five lines of a pentagram, whose filled shape is a star. */
const createStar = (x: number, y: number, r: number) => {
  const points = Array.from({ length: 5 }, (_, index) => {
    const angle = ((Math.PI * 4) / 5) * index - Math.PI / 2;
    return `${(x + r * Math.cos(angle)).toFixed(1)} ${(y + r * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
};
const createDiamond = (x: number, y: number, r: number) =>
  `M${x} ${y - r * 1.25}l${r} ${r * 1.25}-${r} ${r * 1.25}-${r}-${r * 1.25}Z`;
const createSpot = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${r * 2} 0a${r} ${r} 0 1 0-${r * 2} 0`;
const MOTIF_POSITIONS = [
  [26, 28],
  [38, 28],
  [32, 37],
  [26, 46],
  [38, 46],
  [32, 55],
] as const;
const createBands = (ys: readonly number[], height: number) =>
  ys.map((y) => `M0 ${y}h64v${height}H0Z`).join("");

// Computed once because a page shows dozens of silks.
const bodyShapes: Record<SilkDesign["body"], string> = {
  plain: "M21 38h22v6H21Z",
  hoops: createBands([24, 36, 48, 60], 6),
  chevron: "M21 30l11 10 11-10v9L32 49 21 39Z",
  quarters: "M32 20H21v22h11ZM32 42h11v22H32Z",
  sash: "M19 24h8l18 32v8h-4Z",
  stars: MOTIF_POSITIONS.map(([x, y]) => createStar(x, y, 4.6)).join(""),
  diamonds: MOTIF_POSITIONS.map(([x, y]) => createDiamond(x, y, 3.6)).join(""),
  spots: MOTIF_POSITIONS.map(([x, y]) => createSpot(x, y, 3.1)).join(""),
  stripes: "M24 20h4v44h-4ZM36 20h4v44h-4ZM30 20h4v44h-4Z",
  halved: "M32 18h14v48H32Z",
};

const sleeveShapes: Record<SilkDesign["sleeves"], string | null> = {
  plain: null,
  hoops: createBands([28, 38, 48], 5),
  armlet: createBands([37], 7),
  spots: [
    [15, 34],
    [12.5, 43],
    [10.5, 51],
    [49, 34],
    [51.5, 43],
    [53.5, 51],
  ]
    .map(([x = 0, y = 0]) => createSpot(x, y, 2.3))
    .join(""),
};

const capShapes: Record<SilkDesign["cap"], string | null> = {
  plain: null,
  quarters: "M22 3h5.5q-2.5 5-2.5 12h-4ZM32 3q5 4 5 12h-5Z",
  hoop: "M18 8.5h28v3.5H18Z",
  spots: [
    [27, 10],
    [32, 6],
    [37, 10],
    [32, 12.5],
  ]
    .map(([x = 0, y = 0]) => createSpot(x, y, 1.5))
    .join(""),
  star: createStar(32, 9.2, 4.4),
};

const patternShapes: Record<"s" | "b" | "c", Record<string, string | null>> = {
  s: sleeveShapes,
  b: bodyShapes,
  c: capShapes,
};

/** Returns the ids of the patterns of a design, such as `b-stars`. */
function listPatterns(name: string): string[] {
  const { sleeves, body, cap } = createSilkDesign(name);
  return [`s-${sleeves}`, `b-${body}`, `c-${cap}`].filter(findShape);
}

function findShape(pattern: string): string | undefined {
  const [part, name] = pattern.split("-") as [keyof typeof patternShapes, string];
  return patternShapes[part][name] ?? undefined;
}
