import { classNames } from "#ui/class-names.ts";

type RateBarProps = {
  /** In per cent. */
  percent: number;
  /** The range that the true rate is likely to be in. */
  range: { lowPercent: number; highPercent: number };
  /** A rate to compare with, as a dashed mark. */
  referencePercent?: number | null;
  /** The end of the axis, in per cent. */
  maxPercent?: number;
  className?: string;
};

/**
 * A rate as a mark in the range around it, on an axis that starts at zero. Hidden from screen readers: the figures
 * must be in the text beside it.
 */
export function RateBar({
  percent,
  range: { lowPercent, highPercent },
  referencePercent = null,
  maxPercent = 100,
  className,
}: RateBarProps) {
  const toX = (value: number) =>
    Number(((Math.min(value, maxPercent) / maxPercent) * 100).toFixed(2));
  return (
    <svg
      viewBox="0 0 100 20"
      width="100"
      height="20"
      preserveAspectRatio="none"
      className={classNames("chart block overflow-visible", className)}
      aria-hidden="true"
    >
      <rect className="chart-track" y="4" width="100" height="12" />
      <rect
        className="chart-band"
        x={toX(lowPercent)}
        y="4"
        width={Number((toX(highPercent) - toX(lowPercent)).toFixed(2))}
        height="12"
      />
      {referencePercent === null ? null : (
        <path className="chart-reference" d={`M${toX(referencePercent)} 1V19`} />
      )}
      <path className="chart-mark" d={`M${toX(percent)} 0V20`} />
    </svg>
  );
}

/** A share of a whole as a bar. Hidden from screen readers: the figures must be in the text beside it. */
export function ShareBar({
  percent,
  maxPercent = 100,
  className,
}: {
  percent: number;
  /** The end of the axis, in per cent. */
  maxPercent?: number;
  className?: string;
}) {
  return (
    <svg
      viewBox="0 0 100 10"
      width="100"
      height="10"
      preserveAspectRatio="none"
      className={classNames("chart block", className)}
      aria-hidden="true"
    >
      <rect className="chart-track" width="100" height="10" />
      <rect
        className="chart-bar"
        width={Number(((Math.min(percent, maxPercent) / maxPercent) * 100).toFixed(2))}
        height="10"
      />
    </svg>
  );
}
