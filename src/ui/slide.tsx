import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import raceCard from "./slide-race-card.svg?url";
import silks from "./slide-silks.svg?url";
import straight from "./slide-straight.svg?url";

export type SlideArtwork = "race-card" | "straight" | "silks";

type SlideProps = {
  artwork: SlideArtwork;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
};

const urls: Record<SlideArtwork, string> = { "race-card": raceCard, straight, silks };

/** One slide of the carousel: text on racing green with a drawing beside or below it. */
export function Slide({ artwork, title, children, action, className }: SlideProps) {
  return (
    <div
      className={classNames(
        "grid h-full grid-rows-[1fr_auto] bg-header text-on-header sm:grid-cols-[1.6fr_minmax(0,1fr)] sm:grid-rows-1",
        className,
      )}
    >
      <div className="flex flex-col justify-center gap-1 px-4 py-3 sm:px-6">
        <p className="font-cond text-xl font-bold tracking-[-0.01em] text-balance">{title}</p>
        {children ? <div className="max-w-[60ch] text-sm text-on-header-2">{children}</div> : null}
        {action ? <div className="mt-1">{action}</div> : null}
      </div>
      <div className="relative max-sm:hidden">
        <picture>
          {/* WebKit does not pass the colour scheme to SVG images, so the URL fragment selects it. */}
          <source
            srcSet={`${urls[artwork]}#dark`}
            media="(prefers-color-scheme: dark)"
            width={800}
            height={400}
          />
          <img
            src={urls[artwork]}
            alt=""
            width={800}
            height={400}
            loading="lazy"
            decoding="async"
            className="absolute inset-0 size-full object-cover"
          />
        </picture>
      </div>
    </div>
  );
}
