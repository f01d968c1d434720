import { ChevronLeft, ChevronRight } from "lucide-react";
import { ButtonLink } from "./button-link.tsx";
import { classNames } from "./class-names.ts";

type PaginationProps = {
  /** What is paged, for screen readers: 'Purchases'. */
  label: string;
  /** Address of the newer page; none on the first. */
  newerHref?: string | null;
  /** Address of the older page; none on the last. */
  olderHref?: string | null;
  newerLabel?: string;
  olderLabel?: string;
  className?: string;
};

/** Newer and older, by key: no page numbers, for nobody counts the pages. */
export function Pagination({
  label,
  newerHref,
  olderHref,
  newerLabel = "Newer",
  olderLabel = "Older",
  className,
}: PaginationProps) {
  if (!newerHref && !olderHref) return null;
  return (
    <nav aria-label={label} className={classNames("flex justify-between gap-4", className)}>
      {newerHref ? (
        <ButtonLink
          to={newerHref}
          variant="secondary"
          rel="prev"
          icon={<ChevronLeft aria-hidden />}
        >
          {newerLabel}
        </ButtonLink>
      ) : (
        <span />
      )}
      {olderHref ? (
        <ButtonLink
          to={olderHref}
          variant="secondary"
          rel="next"
          className="flex-row-reverse"
          icon={<ChevronRight aria-hidden />}
        >
          {olderLabel}
        </ButtonLink>
      ) : null}
    </nav>
  );
}
