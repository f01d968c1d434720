import { ButtonLink } from "#ui/button-link.tsx";
import { Carousel } from "#ui/carousel.tsx";
import { CardPrice } from "#ui/prices.ts";
import { Slide } from "#ui/slide.tsx";

/** Three slides that explain Furlong. */
export function HomeSlides({ className }: { className?: string }) {
  return (
    <Carousel
      label="How Furlong works"
      className={className}
      slides={[
        {
          key: "card",
          name: "One race card, four coins",
          content: (
            <Slide
              artwork="race-card"
              title="One race card, four coins"
              action={
                <ButtonLink to="/how-it-works" variant="secondary">
                  How it works
                </ButtonLink>
              }
            >
              All of one tipster's tips for a day at one track: <CardPrice />. Yours to keep. No
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
                  See the tracks
                </ButtonLink>
              }
            >
              Going, weather and off times for each track, with the source shown.
            </Slide>
          ),
        },
        {
          key: "records",
          name: "Records you can check",
          content: (
            <Slide
              artwork="silks"
              title="Winners and losers, all on record"
              action={
                <ButtonLink to="/top-analysts" variant="secondary">
                  Check the records
                </ButtonLink>
              }
            >
              Every selection and result is public the day after the race. Check any tipster's
              record.
            </Slide>
          ),
        },
      ]}
    />
  );
}
