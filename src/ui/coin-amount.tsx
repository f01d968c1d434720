import { formatRand } from "#domain/coins.ts";
import { classNames } from "./class-names.ts";
import { CoinGlyph } from "./coin-glyph.tsx";
import { formatInteger } from "./format-integer.ts";

export type AmountSize = "small" | "medium" | "large" | "huge";

type CoinAmountProps = {
  amountCoins: number;
  /** The price of the coins, shown next to them. */
  priceCents?: number;
  /** Shows a plus or minus sign, for a change of balance. */
  hasSign?: boolean;
  /** Shows the unit after the number; screen readers always read it. */
  isUnitVisible?: boolean;
  size?: AmountSize;
  /** For use on the green header. */
  isOnHeader?: boolean;
  className?: string;
};

const sizes: Record<AmountSize, string> = {
  small: "text-sm",
  medium: "text-[1.0625rem] leading-6",
  large: "text-2xl",
  huge: "text-4xl",
};

/** A number of coins in gold, followed by its price in rand when `priceCents` is given. */
export function CoinAmount({
  amountCoins,
  priceCents,
  hasSign = false,
  isUnitVisible = true,
  size = "medium",
  isOnHeader = false,
  className,
}: CoinAmountProps) {
  const sign = amountCoins < 0 ? "\u2212" : hasSign && amountCoins > 0 ? "+" : "";
  const isLarge = size === "large" || size === "huge";
  return (
    <span
      className={classNames(
        "inline-flex items-baseline gap-[0.4em] font-cond whitespace-nowrap",
        sizes[size],
        className,
      )}
    >
      <span
        className={classNames(
          "inline-flex items-baseline gap-[0.3em] font-bold",
          isOnHeader ? "text-on-header" : "text-gold-ink",
        )}
      >
        <CoinGlyph className="size-[0.95em] shrink-0 self-center" />
        <span>
          {sign}
          {formatInteger(Math.abs(amountCoins))}
          <span
            className={
              isUnitVisible ? classNames("font-semibold", isLarge && "text-[0.68em]") : "sr-only"
            }
          >
            {" "}
            {Math.abs(amountCoins) === 1 ? "coin" : "coins"}
          </span>
        </span>
      </span>
      {priceCents === undefined ? null : (
        <span
          className={classNames(
            "font-semibold",
            isLarge && "text-[0.68em]",
            isOnHeader ? "text-on-header-2" : "text-ink-2",
          )}
        >
          <span aria-hidden="true">·</span> {formatRand(priceCents)}
        </span>
      )}
    </span>
  );
}
