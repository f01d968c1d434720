import { classNames } from "#ui/class-names.ts";
import { formatInteger } from "#ui/format-integer.ts";

type WinRecordProps = {
  settledTips: number;
  wonTips: number;
  /** Whether the whole record, of which these tips may be a part, includes results that one admin entered alone. */
  hasOnePersonResults?: boolean;
  /** The kind of rate, when several are shown together: 'Win', 'Place'. */
  label?: string;
  size?: "medium" | "large";
  className?: string;
};

/** A win rate with its base: '31.4 % of 210', or a note that nothing is settled yet. */
export function WinRecord({
  settledTips,
  wonTips,
  hasOnePersonResults = false,
  label,
  size = "medium",
  className,
}: WinRecordProps) {
  if (settledTips === 0) {
    return (
      <span className={classNames("text-sm text-ink-2", className)}>
        {label ? `${label}: ` : ""}No settled tips yet
      </span>
    );
  }
  const rate = ((wonTips / settledTips) * 100).toFixed(1);
  return (
    <span
      className={classNames(
        "inline-flex items-baseline gap-[0.3em] whitespace-nowrap",
        hasOnePersonResults && "flex-wrap",
        className,
      )}
      title={`${formatInteger(wonTips)} of ${formatInteger(settledTips)} settled tips`}
    >
      {label ? <span className="text-xs text-ink-2">{label}</span> : null}
      <span
        className={classNames(
          "font-cond font-bold",
          size === "large" ? "text-2xl" : "text-[1.0625rem] leading-6",
        )}
      >
        {rate}%
      </span>
      <span className={size === "large" ? "text-sm text-ink-2" : "text-xs text-ink-2"}>
        of {formatInteger(settledTips)}
        {hasOnePersonResults ? "," : ""}
      </span>
      {hasOnePersonResults ? (
        <span className="text-xs text-ink-2">record includes results entered by one person</span>
      ) : null}
    </span>
  );
}
