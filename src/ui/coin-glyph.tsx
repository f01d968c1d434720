/** The coin icon: a gold disc with a horseshoe, in the size of the text. */
export function CoinGlyph({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="16"
      height="16"
      // The disc touches the viewport, which would clip it at fractional pixel positions.
      overflow="visible"
      className={className ?? "size-[1em]"}
      aria-hidden="true"
    >
      <circle
        cx="10"
        cy="10"
        r="9.25"
        fill="var(--gold)"
        stroke="var(--gold-deep)"
        strokeWidth="1.5"
      />
      <path
        d="M7.1 14.4C5.3 12.6 5 9.9 5.8 7.8a4.5 4.5 0 0 1 8.4 0c.8 2.1.5 4.8-1.3 6.6"
        fill="none"
        stroke="var(--on-gold)"
        strokeWidth="2"
        strokeLinecap="butt"
      />
      <path d="M5.9 14.5h2.3M11.8 14.5h2.3" stroke="var(--on-gold)" strokeWidth="1.6" />
    </svg>
  );
}
