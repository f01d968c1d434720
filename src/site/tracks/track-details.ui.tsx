import type { Track, TrackCourse } from "#domain/tracks.ts";

/** Describes a course: '2 800 m round, run-in 600 m, straight to 1 200 m'. */
function describeCourse(course: TrackCourse): string {
  const parts = [
    course.lengthMetres === null ? null : `${formatMetres(course.lengthMetres)} round`,
    course.runInMetres === null ? null : `run-in ${formatMetres(course.runInMetres)}`,
    course.straightMetres === null ? null : `straight to ${formatMetres(course.straightMetres)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "lengths not published" : parts.join(", ");
}

/** Formats metres with non-breaking spaces. */
function formatMetres(value: number): string {
  return `${String(value).replace(/\B(?=(\d{3})+$)/g, "\u00a0")}\u00a0m`;
}

/** A track's direction, courses, founding year and big races. */
export function TrackDetails({ track, className }: { track: Track; className?: string }) {
  const facts = [
    ["Direction", track.direction],
    ...track.courses.map((course) => [
      track.courses.length === 1 || course.name.toLowerCase() === course.surface
        ? course.name
        : `${course.name} (${course.surface})`,
      describeCourse(course),
    ]),
    track.foundedYear === null ? null : ["Racing since", String(track.foundedYear)],
    track.majorRaces.length === 0 ? null : ["Big days", track.majorRaces.join(", ")],
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
