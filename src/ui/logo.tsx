import { classNames } from "./class-names.ts";

type LogoProps = {
  /** `ink` on paper, `light` on the green header. */
  tone?: "ink" | "light";
  /** Shows only the mark, for narrow screens; the name remains for screen readers. */
  markOnly?: boolean;
  className?: string;
};

/** The mark and the name in the condensed font. */
export function Logo({ tone = "ink", markOnly = false, className }: LogoProps) {
  return (
    <span
      className={classNames(
        "inline-flex items-center gap-2 whitespace-nowrap",
        tone === "light" ? "text-on-header" : "text-green-ink",
        className,
      )}
    >
      <LogoMark className="h-8 w-7 shrink-0" />
      <span
        className={
          markOnly
            ? "sr-only"
            : "font-cond text-[1.625rem] leading-none font-bold tracking-[-0.01em]"
        }
      >
        Furlong
      </span>
    </span>
  );
}

/** The mark: the winning post at the rail with the initial in its roundel. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 28 32"
      width="28"
      height="32"
      className={className}
      aria-hidden="true"
      fill="none"
    >
      <path
        fillRule="evenodd"
        d="M14 .4a9.8 9.8 0 1 1 0 19.6 9.8 9.8 0 0 1 0-19.6ZM10.4 4.7v11.2h3.1v-4h4.1V9.2h-4.1V7.4h4.7V4.7Z"
        fill="currentColor"
      />
      <path d="M14 19v13" stroke="currentColor" strokeWidth="2.8" />
      <path d="M1 26.5h10.2M16.8 26.5H27" stroke="currentColor" strokeWidth="2.2" />
    </svg>
  );
}
