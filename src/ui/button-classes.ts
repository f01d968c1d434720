import { classNames } from "./class-names.ts";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger" | "coin";
/** `row` is the compact gold button of a row in a list, styled by one class because a page has many. */
export type ButtonSize = "small" | "medium" | "large" | "row";

const variants: Record<ButtonVariant, string> = {
  primary: "border-green bg-green text-on-green hover:border-green-strong hover:bg-green-strong",
  secondary: "border-rule-strong bg-sheet text-ink hover:border-ink-2 hover:bg-well",
  quiet: "border-transparent bg-transparent text-green-ink hover:bg-green-wash",
  danger:
    "border-danger bg-danger text-on-danger hover:border-danger-strong hover:bg-danger-strong",
  coin: "border-gold-deep bg-gold text-on-gold hover:bg-gold-strong",
};

const sizes: Record<Exclude<ButtonSize, "row">, string> = {
  small: "tap min-h-9 px-3 py-1 text-sm [&_svg]:size-4",
  medium: "min-h-11 px-4 py-2 text-sm [&_svg]:size-[1.125rem]",
  large: "min-h-13 px-6 py-3 text-base [&_svg]:size-5",
};

/** Returns the classes of a button, for other elements that look like one. */
export function buttonClasses(
  variant: ButtonVariant = "primary",
  size: ButtonSize = "medium",
  wide = false,
  className?: string,
): string {
  if (size === "row") return classNames("button row-button tap", className);
  return classNames("button", variants[variant], sizes[size], wide && "w-full", className);
}
