import type { Track, TrackCourse } from "#domain/tracks.ts";

/** One course in a line: '2 800 m round, run-in 600 m, straight to 1 200 m'. */
function courseLine(course: TrackCourse): string {
  const parts = [
    course.lengthMetres === null ? null : `${metres(course.lengthMetres)} round`,
    course.runInMetres === null ? null : `run-in ${metres(course.runInMetres)}`,
    course.straightMetres === null ? null : `straight to ${metres(course.straightMetres)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "lengths not published" : parts.join(", ");
}

/** Metres as South Africans write them, and never broken over a line. */
function metres(value: number): string {
  return `${String(value).replace(/\B(?=(\d{3})+$)/g, "\u00a0")}\u00a0m`;
}

/** A track's direction, courses and age in a list. */
export function TrackDetails({ track, className }: { track: Track; className?: string }) {
  const facts = [
    ["Direction", track.direction],
    ...track.courses.map((course) => [
      track.courses.length === 1 || course.name.toLowerCase() === course.surface
        ? course.name
        : `${course.name} (${course.surface})`,
      courseLine(course),
    ]),
    track.foundedYear === null ? null : ["Racing since", String(track.foundedYear)],
    track.bigRaces.length === 0 ? null : ["Big days", track.bigRaces.join(", ")],
  ].filter((fact) => fact !== null);
  return (
    <dl className={className}>
      {facts.map(([name, value]) => (
        <div
          key={name}
          className="grid grid-cols-[8.5rem_1fr] gap-x-4 border-b border-rule py-2 text-sm last:border-0"
        >
          <dt className="text-ink-2">{name}</dt>
          <dd className="font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
