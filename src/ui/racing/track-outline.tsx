import { TRACKS, type Track } from "#domain/tracks.ts";
import { classNames } from "#ui/class-names.ts";

type TrackOutlineProps = {
  /** Name or slug of the track; renders nothing for an unknown track. */
  name: string;
  /** Adds the word 'schematic' and the scale below. */
  labelled?: boolean;
  className?: string;
};

// Ten metres per unit on every track, so that tracks can be compared.
const UNITS_PER_METRE = 0.1;
const WIDTH = 200;
const HEIGHT = 76;
const METRES_PAST_POST = 130;

/** The schematic outline of a track to scale: courses, direction and winning post. */
export function TrackOutline({ name, labelled = false, className }: TrackOutlineProps) {
  const normalisedName = name.trim().toLowerCase();
  const track = TRACKS.find(
    (candidate) =>
      candidate.slug === normalisedName || candidate.name.toLowerCase() === normalisedName,
  );
  if (!track) return null;
  const plan = createPlan(track);
  const direction = track.direction;
  const drawing = (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`Schematic outline of ${track.name}: ${direction}, ${plan.main.length} metres round, run-in ${plan.main.runIn} metres`}
      className={classNames("track-outline", labelled ? "h-auto w-full" : className)}
    >
      <Plan plan={plan} />
    </svg>
  );
  if (!labelled) return drawing;
  return (
    <figure className={className}>
      {drawing}
      <figcaption className="mt-1 flex justify-between gap-2 text-2xs text-ink-3">
        <span>Schematic, {direction}</span>
        <span className="flex items-center gap-1.5">
          <span
            className="inline-block h-1 w-[10%] min-w-5 border-x border-b border-ink-3"
            aria-hidden="true"
          />
          200 m
        </span>
      </figcaption>
    </figure>
  );
}

type Course = { length: number; runIn: number };

type TrackPlan = {
  main: Course;
  inner: (Course & { polytrack: boolean }) | null;
  /** The length of the straight before the post; 0 when every race has a bend. */
  straight: number;
  leftHanded: boolean;
  pear: boolean;
};

/**
 * Returns the measurements for the drawing. Unpublished lengths are derived from the main course.
 */
function createPlan(track: Track): TrackPlan {
  const [first, second] = track.courses;
  const main = { length: first?.lengthMetres ?? 2400, runIn: first?.runInMetres ?? 450 };
  return {
    main,
    inner: second
      ? {
          length: second.lengthMetres ?? main.length * 0.9,
          runIn: second.runInMetres ?? (second.lengthMetres ? main.runIn : main.runIn * 0.6),
          polytrack: second.surface === "polytrack",
        }
      : null,
    straight: first?.straightMetres ?? 0,
    leftHanded: track.direction === "left-handed",
    pear: track.shape === "pear",
  };
}

function Plan({ plan }: { plan: TrackPlan }) {
  const main = computeLoop(plan.main.length, plan.main.runIn, plan.pear);
  const chute = round(Math.max(0, plan.straight - plan.main.runIn) * UNITS_PER_METRE);
  const span = main.left + main.flat + Math.max(main.right, chute);
  const base = round(HEIGHT / 2 - 3 + Math.max(main.left, main.right));
  // Coordinates are for a right-handed track: home straight at the bottom, run from right to left.
  const bend = round((WIDTH - span) / 2 + main.left);
  const far = round(bend + main.flat);
  const postX = round(bend + METRES_PAST_POST * UNITS_PER_METRE);
  const inner = plan.inner ? computeLoop(plan.inner.length, plan.inner.runIn, plan.pear) : null;
  const gap = 4.2;
  const innerFar = inner ? postX + (plan.inner?.runIn ?? 0) * UNITS_PER_METRE : 0;
  const innerLeft = inner ? Math.min(inner.left, main.left - gap) : 0;
  const innerRight = inner ? Math.min(inner.right, main.right - gap) : 0;
  const innerBend = bend + (plan.pear ? 4 : 0);

  const drawing = (
    <>
      {chute > 0 ? (
        <path d={`M${round(far + chute)} ${base}H${round(far - 2)}`} opacity="0.55" />
      ) : null}
      {chute > 0 ? (
        <path
          d={`M${round(far + chute)} ${round(base - 3.4)}v6.8`}
          stroke="var(--ink-2)"
          strokeWidth="1.2"
        />
      ) : null}
      <path
        d={createOutlinePath(bend, far, base, main.left, main.right)}
        fill="var(--green-wash)"
      />
      {inner ? (
        <path
          d={createOutlinePath(
            innerBend,
            Math.min(innerFar, far),
            base - gap,
            innerLeft,
            innerRight,
          )}
          stroke={plan.inner?.polytrack ? "var(--ink-3)" : undefined}
          strokeWidth="1.8"
          strokeDasharray={plan.inner?.polytrack ? "3.2 1.8" : undefined}
          opacity={plan.inner?.polytrack ? undefined : 0.6}
        />
      ) : null}
      <path
        d={[
          `M${postX} ${round(base + 6)}v-12.4`,
          `m-3.1-3.1a3.1 3.1 0 1 0 6.2 0a3.1 3.1 0 1 0-6.2 0`,
          `M${round(far - 4)} ${round(base + 6.8)}h-16m4.5-3.3l-4.5 3.3 4.5 3.3`,
        ].join("")}
        stroke="var(--ink)"
        strokeWidth="1.6"
        strokeLinecap="round"
        fill="var(--sheet)"
      />
    </>
  );
  return plan.leftHanded ? (
    <g transform={`translate(${WIDTH} 0) scale(-1 1)`}>{drawing}</g>
  ) : (
    drawing
  );
}

/** Returns the bends and straight of a course: two half circles and the part between them. */
function computeLoop(length: number, runIn: number, pear = false) {
  const flat = (runIn + METRES_PAST_POST) * UNITS_PER_METRE;
  const radius = (length * UNITS_PER_METRE - 2 * flat) / (2 * Math.PI);
  return { flat, left: pear ? radius * 0.82 : radius, right: pear ? radius * 1.08 : radius };
}

function createOutlinePath(bend: number, far: number, base: number, left: number, right: number) {
  // The far side is tangent to both bends; it is parallel to the straight when they are equal.
  const slope = -2 * Math.atan2(right - left, far - bend);
  const toTangentPoint = (x: number, radius: number) =>
    `${round(x + radius * Math.sin(slope))} ${round(base - radius - radius * Math.cos(slope))}`;
  return [
    `M${round(bend)} ${round(base)}`,
    `A${round(left)} ${round(left)} 0 0 1 ${toTangentPoint(bend, left)}`,
    `L${toTangentPoint(far, right)}`,
    `A${round(right)} ${round(right)} 0 ${slope < 0 ? 1 : 0} 1 ${round(far)} ${round(base)}`,
    "Z",
  ].join("");
}

/** Rounds a coordinate to a tenth, so that the page stays small. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}
