import { formatRand } from "#domain/coins.ts";
import { classNames } from "./class-names.ts";
import type { AmountSize } from "./coin-amount.tsx";

type RandAmountProps = {
  amountCents: number;
  /** Always shows cents, as in statements. */
  areCentsShown?: boolean;
  /** Shows a plus or minus sign, for a change of balance. */
  hasSign?: boolean;
  size?: AmountSize;
  /** Strikes the amount through, for a previous price. */
  isStruckThrough?: boolean;
  className?: string;
};

const sizes: Record<AmountSize, string> = {
  small: "text-sm",
  medium: "text-[1.0625rem] leading-6",
  large: "text-2xl",
  huge: "text-4xl",
};

/** An amount in rand: R40, R28.50, or R28.00 with `areCentsShown`. */
export function RandAmount({
  amountCents,
  areCentsShown = false,
  hasSign = false,
  size = "medium",
  isStruckThrough = false,
  className,
}: RandAmountProps) {
  const rand = formatRand(amountCents).replace("-", "\u2212");
  const text = `${hasSign && amountCents > 0 ? "+" : ""}${areCentsShown && amountCents % 100 === 0 ? `${rand}.00` : rand}`;
  const classes = classNames(
    "font-cond whitespace-nowrap",
    size === "large" || size === "huge" ? "font-bold" : "font-semibold",
    sizes[size],
    className,
  );
  return isStruckThrough ? (
    <s className={classes}>{text}</s>
  ) : (
    <span className={classes}>{text}</span>
  );
}
