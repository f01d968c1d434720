import { formatRand } from "#domain/coins.ts";
import { classNames } from "./class-names.ts";
import { CoinGlyph } from "./coin-glyph.tsx";
import { groupThousands } from "./group-thousands.ts";

export type FigureSize = "small" | "medium" | "large" | "huge";

type CoinAmountProps = {
  amountCoins: number;
  /** The price of the coins, shown next to them. */
  priceCents?: number;
  /** Shows a plus or minus sign, for a change of balance. */
  signed?: boolean;
  /** Shows the unit after the number; screen readers always read it. */
  unitShown?: boolean;
  size?: FigureSize;
  /** For use on the green header. */
  onGreen?: boolean;
  className?: string;
};

const sizes: Record<FigureSize, string> = {
  small: "text-sm",
  medium: "text-[1.0625rem] leading-6",
  large: "text-2xl",
  huge: "text-4xl",
};

/** A number of coins in gold, followed by its price in rand when `priceCents` is given. */
export function CoinAmount({
  amountCoins,
  priceCents,
  signed = false,
  unitShown = true,
  size = "medium",
  onGreen = false,
  className,
}: CoinAmountProps) {
  const sign = amountCoins < 0 ? "\u2212" : signed && amountCoins > 0 ? "+" : "";
  const big = size === "large" || size === "huge";
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
          onGreen ? "text-on-header" : "text-gold-ink",
        )}
      >
        <CoinGlyph className="size-[0.95em] shrink-0 self-center" />
        <span>
          {sign}
          {groupThousands(Math.abs(amountCoins))}
          <span
            className={unitShown ? classNames("font-semibold", big && "text-[0.68em]") : "sr-only"}
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
            big && "text-[0.68em]",
            onGreen ? "text-on-header-2" : "text-ink-2",
          )}
        >
          <span aria-hidden="true">·</span> {formatRand(priceCents)}
        </span>
      )}
    </span>
  );
}
