import type { Level } from "#domain/track-record.ts";
import { Badge } from "#ui/badge.tsx";

/** A tipster's level; renders nothing without one. */
export function LevelBadge({ level, className }: { level: Level | null; className?: string }) {
  if (level === null) return null;
  return (
    <Badge
      tone={level === "Expert" ? "solid" : level === "Developing" ? "plain" : "green"}
      className={className}
    >
      {level}
    </Badge>
  );
}
