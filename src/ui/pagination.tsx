import { ChevronLeft, ChevronRight } from "lucide-react";
import { ButtonLink } from "./button-link.tsx";
import { classNames } from "./class-names.ts";

type PaginationProps = {
  /** The accessible name: 'Purchases'. */
  label: string;
  /** URL of the newer page; none on the first page. */
  newerHref?: string | null;
  /** URL of the older page; none on the last page. */
  olderHref?: string | null;
  newerLabel?: string;
  olderLabel?: string;
  className?: string;
};

/** Links to the newer and older page. There are no page numbers because lists use keyset paging. */
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
