import { Cloud, CloudRain, Sun, Wind } from "lucide-react";
import { classNames } from "#ui/class-names.ts";

export type WeatherKind = "sunny" | "cloudy" | "rainy" | "windy";

const icons = { sunny: Sun, cloudy: Cloud, rainy: CloudRain, windy: Wind };

/** The weather at the track. Hidden from screen readers when its name is shown next to it. */
export function WeatherIcon({
  weather,
  labelled = true,
  className,
}: {
  weather: WeatherKind;
  labelled?: boolean;
  className?: string;
}) {
  const Icon = icons[weather];
  return (
    <Icon
      className={classNames("size-5 shrink-0", className)}
      strokeWidth={1.75}
      {...(labelled ? { role: "img", "aria-label": weather } : { "aria-hidden": true })}
    />
  );
}
