import type { ResultBasis as Basis, TipResult } from "#domain/tip.ts";
import { classNames } from "#ui/class-names.ts";

/**
 * Shows what a tip's result is based on: the tipster's own word, or the official result. What the tipster
 * marked stays visible when another result contradicts it. Empty before there is a result.
 */
export function ResultBasis({
  result,
  basis: { isClaim, isOfficial, claimedResult },
  className,
}: {
  result: TipResult | null;
  basis: Basis;
  className?: string;
}) {
  const isContradicted = !isClaim && claimedResult !== null && claimedResult !== result;
  if (result === null || (!isClaim && !isOfficial && !isContradicted)) return null;
  return (
    <span className={classNames("block text-xs text-ink-2", className)}>
      {isOfficial ? "official result" : isClaim ? "as marked by the tipster" : "corrected"}
      {isContradicted ? (
        <strong className="block font-semibold text-danger-ink">
          tipster marked {claimedResult}
        </strong>
      ) : null}
    </span>
  );
}
