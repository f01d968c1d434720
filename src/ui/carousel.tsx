import { ChevronLeft, ChevronRight, Pause, Play } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { classNames } from "./class-names.ts";
import { useHydrated } from "./hooks/use-hydrated.ts";
import { useReducedMotion } from "./hooks/use-reduced-motion.ts";

type CarouselProps = {
  /** The accessible name: 'How Furlong works'. */
  label: string;
  slides: readonly { key: string; name: string; content: ReactNode }[];
  /** The time each slide is shown. */
  intervalMs?: number;
  className?: string;
};

/**
 * Slides that can be swiped without JavaScript. Scripts add the controls and advance every five
 * seconds, except while hovered, focused, paused or hidden, or when the viewer prefers reduced
 * motion.
 */
export function Carousel({ label, slides, intervalMs = 5000, className }: CarouselProps) {
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const [isPaused, setIsPaused] = useState(false);
  const [isInteracting, setIsInteracting] = useState(false);
  const hydrated = useHydrated();
  const prefersReducedMotion = useReducedMotion();
  const isRunning = hydrated && !isPaused && !isInteracting && !prefersReducedMotion;
  const count = slides.length;

  const showSlide = (index: number) => {
    const target = list.current;
    if (!target) return;
    const next = (index + count) % count;
    // Scrolling from the last slide to the first would pass all other slides, so this step fades instead.
    const isWrap = next !== index;
    target.scrollTo({
      left: next * target.clientWidth,
      behavior: prefersReducedMotion || isWrap ? "instant" : "smooth",
    });
    if (isWrap && !prefersReducedMotion)
      target.animate({ opacity: [0, 1] }, { duration: 300, easing: "ease-out" });
  };
  const advance = useEffectEvent(showSlide);

  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") advance(current + 1);
    }, intervalMs);
    return () => clearInterval(timer);
  }, [isRunning, intervalMs, current]);

  return (
    <section
      aria-roledescription="carousel"
      aria-label={label}
      className={classNames("relative overflow-hidden bg-header text-on-header", className)}
      onPointerEnter={(event) => event.pointerType === "mouse" && setIsInteracting(true)}
      onPointerLeave={() => setIsInteracting(false)}
      onFocus={() => setIsInteracting(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setIsInteracting(false);
      }}
    >
      <ul
        ref={list}
        aria-live={isRunning ? "off" : "polite"}
        onScroll={(event) => {
          const { scrollLeft, clientWidth } = event.currentTarget;
          if (clientWidth > 0) setCurrent(Math.round(scrollLeft / clientWidth));
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowRight") showSlide(current + 1);
          else if (event.key === "ArrowLeft") showSlide(current - 1);
          else return;
          event.preventDefault();
        }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable list must be reachable by keyboard
        tabIndex={0}
        className="flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain [scrollbar-width:none] focus-visible:-outline-offset-4 focus-visible:outline-on-header [&::-webkit-scrollbar]:hidden"
      >
        {slides.map((slide, index) => (
          <li
            key={slide.key}
            aria-roledescription="slide"
            aria-label={`${index + 1} of ${count}: ${slide.name}`}
            inert={hydrated && index !== current}
            className="w-full shrink-0 snap-start snap-always"
          >
            {slide.content}
          </li>
        ))}
      </ul>
      {/* The height is reserved for the controls, which need scripts. */}
      <div className="flex min-h-11 items-center justify-between border-t border-on-header-2/25 px-1">
        {hydrated ? (
          <>
            <div className="flex">
              {slides.map((slide, index) => (
                <button
                  key={slide.key}
                  type="button"
                  aria-label={`Show slide ${index + 1}: ${slide.name}`}
                  aria-current={index === current}
                  onClick={() => showSlide(index)}
                  className="group flex size-11 items-center justify-center focus-visible:-outline-offset-4 focus-visible:outline-on-header"
                >
                  <span className="slide-mark h-1 w-6 rounded-full bg-on-header-2/50 group-hover:bg-on-header-2 group-aria-[current=true]:bg-on-header" />
                </button>
              ))}
            </div>
            <div className="flex">
              {prefersReducedMotion ? null : (
                <CarouselButton
                  label={isPaused ? "Play slides" : "Pause slides"}
                  onClick={() => setIsPaused(!isPaused)}
                >
                  {isPaused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
                </CarouselButton>
              )}
              <CarouselButton label="Previous slide" onClick={() => showSlide(current - 1)}>
                <ChevronLeft aria-hidden="true" />
              </CarouselButton>
              <CarouselButton label="Next slide" onClick={() => showSlide(current + 1)}>
                <ChevronRight aria-hidden="true" />
              </CarouselButton>
            </div>
          </>
        ) : null}
      </div>
    </section>
  );
}

function CarouselButton({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="flex size-11 items-center justify-center rounded-md text-on-header-2 hover:text-on-header focus-visible:-outline-offset-4 focus-visible:outline-on-header [&_svg]:size-5"
    >
      {children}
    </button>
  );
}
