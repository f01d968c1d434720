import { formatRand } from "#domain/coins.ts";
import { classNames } from "./class-names.ts";
import type { FigureSize } from "./coin-amount.tsx";

type RandAmountProps = {
  amountCents: number;
  /** Always shows cents, as in statements. */
  cents?: boolean;
  /** Shows a plus or minus sign, for a change of balance. */
  signed?: boolean;
  size?: FigureSize;
  /** Strikes the amount through, for a previous price. */
  struck?: boolean;
  className?: string;
};

const sizes: Record<FigureSize, string> = {
  small: "text-sm",
  medium: "text-[1.0625rem] leading-6",
  large: "text-2xl",
  huge: "text-4xl",
};

/** An amount in rand: R40, R28.50, or R28.00 with `cents`. */
export function RandAmount({
  amountCents,
  cents = false,
  signed = false,
  size = "medium",
  struck = false,
  className,
}: RandAmountProps) {
  const plain = formatRand(amountCents).replace("-", "\u2212");
  const text = `${signed && amountCents > 0 ? "+" : ""}${cents && amountCents % 100 === 0 ? `${plain}.00` : plain}`;
  const classes = classNames(
    "font-cond whitespace-nowrap",
    size === "large" || size === "huge" ? "font-bold" : "font-semibold",
    sizes[size],
    className,
  );
  return struck ? <s className={classes}>{text}</s> : <span className={classes}>{text}</span>;
}
