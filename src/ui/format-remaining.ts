/**
 * Returns a remaining time as a countdown shows it: '3 days', '2 h 05 min', '12 min', '9:05' or 'Off'. It must not refer to
 * anything outside its body, because its source is part of an inline script.
 */
export function formatRemaining(seconds: number): string {
  if (seconds === 0) return "Off";
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  if (hours > 0) return `${hours} h ${String(minutes).padStart(2, "0")} min`;
  if (minutes >= 10) return `${minutes} min`;
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}
