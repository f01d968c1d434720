import { ButtonLink } from "#ui/button-link.tsx";
import { Carousel } from "#ui/carousel.tsx";
import { Slide } from "#ui/slide.tsx";

/** What Furlong is, in three slides. */
export function HomeSlides({ className }: { className?: string }) {
  return (
    <Carousel
      label="How Furlong works"
      className={className}
      slides={[
        {
          key: "card",
          name: "One card, four coins",
          content: (
            <Slide
              artwork="race-card"
              title="One card, four coins, every race"
              action={
                <ButtonLink to="/how-it-works" variant="secondary">
                  How it works
                </ButtonLink>
              }
              eager
            >
              A tipster's whole day at one track for R40, opened at once and yours to keep. No
              subscription.
            </Slide>
          ),
        },
        {
          key: "tracks",
          name: "Six tracks",
          content: (
            <Slide
              artwork="straight"
              title="From Kenilworth to the Vaal"
              action={
                <ButtonLink to="/racing-tracks" variant="secondary">
                  The tracks
                </ButtonLink>
              }
            >
              Six tracks, with the going, the weather and the off times as the course reports them.
            </Slide>
          ),
        },
        {
          key: "records",
          name: "Records you can check",
          content: (
            <Slide
              artwork="silks"
              title="Winners and losers, both in the book"
              action={
                <ButtonLink to="/top-analysts" variant="secondary">
                  See the records
                </ButtonLink>
              }
            >
              Every selection is public after its race day, so a record is what it says.
            </Slide>
          ),
        },
      ]}
    />
  );
}
