import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";

type IconButtonProps = Omit<ComponentProps<"button">, "children"> & {
  /** The accessible name, also shown on hover. */
  label: string;
  icon: ReactNode;
  /** `outline` has a border; `onHeader` is for the green header. */
  variant?: "quiet" | "outline" | "onHeader";
};

const variantClasses = {
  quiet: "border-transparent text-ink-2 hover:bg-well hover:text-ink",
  outline: "border-rule-strong bg-sheet text-ink hover:border-ink-2 hover:bg-well",
  onHeader: "border-transparent text-on-header hover:bg-green-strong",
};

/** A 44 px square button with an icon and an accessible name. */
export function IconButton({
  label,
  icon,
  variant = "quiet",
  type = "button",
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={classNames(
        "button size-11 shrink-0 items-center justify-center rounded-md border transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-55 [&_svg]:size-5",
        variantClasses[variant],
        className,
      )}
    >
      {icon}
    </button>
  );
}
