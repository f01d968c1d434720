import { ChevronLeft, ChevronRight, Pause, Play } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import { classNames } from "./class-names.ts";
import { runCarousel } from "./run-carousel.ts";

type CarouselProps = {
  /** The accessible name: 'How Furlong works'. */
  label: string;
  slides: readonly { key: string; name: string; content: ReactNode }[];
  className?: string;
};

/**
 * Slides that can be swiped without JavaScript. `runCarousel` shows the controls and changes the slides: by an inline
 * script of the page, so that a guest who only reads home needs no other, or here after a navigation.
 */
export function Carousel({ label, slides, className }: CarouselProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (section.current) runCarousel(section.current);
  }, []);
  const count = slides.length;
  return (
    <section
      ref={section}
      data-carousel
      aria-roledescription="carousel"
      aria-label={label}
      className={classNames("relative overflow-hidden bg-header text-on-header", className)}
    >
      <ul
        aria-live="polite"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable list must be reachable by keyboard
        tabIndex={0}
        className="flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain [scrollbar-width:none] focus-visible:-outline-offset-4 focus-visible:outline-on-header [&::-webkit-scrollbar]:hidden"
      >
        {slides.map((slide, index) => (
          <li
            key={slide.key}
            aria-roledescription="slide"
            aria-label={`${index + 1} of ${count}: ${slide.name}`}
            className="w-full shrink-0 snap-start snap-always"
          >
            {slide.content}
          </li>
        ))}
      </ul>
      {/* The height is reserved for the controls, which need scripts. */}
      <div className="min-h-11 border-t border-on-header-2/25 px-1">
        <div hidden data-controls className="carousel-controls flex justify-between">
          <div>
            {slides.map((slide, index) => (
              <button
                key={slide.key}
                type="button"
                aria-label={`Show slide ${index + 1}: ${slide.name}`}
              >
                <span className="slide-mark" />
              </button>
            ))}
          </div>
          <div>
            <CarouselButton label="Pause slides" data-pause data-other-label="Play slides">
              <span>
                <Pause aria-hidden="true" />
              </span>
              <span hidden>
                <Play aria-hidden="true" />
              </span>
            </CarouselButton>
            <CarouselButton label="Previous slide" data-step={-1}>
              <ChevronLeft aria-hidden="true" />
            </CarouselButton>
            <CarouselButton label="Next slide" data-step={1}>
              <ChevronRight aria-hidden="true" />
            </CarouselButton>
          </div>
        </div>
      </div>
    </section>
  );
}

function CarouselButton({ label, ...rest }: ComponentProps<"button"> & { label: string }) {
  return <button {...rest} type="button" aria-label={label} title={label} />;
}
