import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type BadgeTone = "plain" | "green" | "danger" | "warn" | "info" | "solid";

type BadgeProps = {
  children: ReactNode;
  tone?: BadgeTone;
  icon?: ReactNode;
  className?: string;
};

const tones: Record<BadgeTone, string> = {
  plain: "border-rule-strong text-ink-2",
  green: "border-green-ink/40 bg-green-wash text-green-ink",
  danger: "border-danger-ink/40 bg-danger-wash text-danger-ink",
  warn: "border-warn-ink/40 bg-warn-wash text-warn-ink",
  info: "border-info-ink/40 bg-info-wash text-info-ink",
  solid: "border-green bg-green text-on-green",
};

/** A short status label. There is no gold tone because gold is reserved for coins. */
export function Badge({ children, tone = "plain", icon, className }: BadgeProps) {
  return (
    <span
      className={classNames(
        "caps inline-flex items-center gap-1 rounded-sm border px-1.5 py-px align-middle whitespace-nowrap [&_svg]:size-3.5",
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}
