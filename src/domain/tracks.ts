export type TrackCourse = {
  name: string;
  surface: "turf" | "polytrack";
  /**
   * Length of one circuit, to the nearest hundred metres where sources differ; null when
   * unpublished.
   */
  lengthMetres: number | null;
  /** The distance from the last bend to the winning post. */
  runInMetres: number | null;
  /** The longest distance run without a bend. */
  straightMetres: number | null;
};

/** A racecourse and its courses. */
export type Track = {
  slug: string;
  name: string;
  town: string;
  direction: "left-handed" | "right-handed";
  shape: "oval" | "pear";
  foundedYear: number | null;
  courses: readonly TrackCourse[];
  /** How the course affects a race. */
  characteristics: string;
  majorRaces: readonly string[];
  note: string | null;
};

function createCourse(
  name: string,
  surface: TrackCourse["surface"],
  lengthMetres: number | null,
  runInMetres: number | null = null,
  straightMetres: number | null = null,
): TrackCourse {
  return { name, surface, lengthMetres, runInMetres, straightMetres };
}

/** The six built-in tracks, sorted by name. Lengths are rounded. */
export const TRACKS: readonly Track[] = [
  {
    slug: "fairview",
    name: "Fairview",
    town: "Gqeberha (Port Elizabeth)",
    direction: "right-handed",
    shape: "oval",
    foundedYear: null,
    courses: [
      createCourse("Turf", "turf", 2700, 800, 1200),
      createCourse("Polytrack", "polytrack", 1800, 400),
    ],
    characteristics:
      "A long run-in, mostly downhill, lets a horse with a turn of foot make up ground late. The turf drains slowly and stays soft for days after rain.",
    majorRaces: ["Algoa Cup", "East Cape Derby"],
    note: "Racing on the polytrack since 2013.",
  },
  {
    slug: "greyville",
    name: "Greyville",
    town: "Durban",
    direction: "right-handed",
    shape: "pear",
    foundedYear: null,
    courses: [
      createCourse("Turf", "turf", 2800, 400),
      createCourse("Polytrack", "polytrack", 2000),
    ],
    characteristics:
      "Pear-shaped with a short run-in, so an unchallenged front-runner is hard to catch. The polytrack is inside the turf course and every race on it goes round the turn.",
    majorRaces: ["Durban July"],
    note: "The first South African track to race under lights.",
  },
  {
    slug: "kenilworth",
    name: "Kenilworth",
    town: "Cape Town",
    direction: "left-handed",
    shape: "oval",
    foundedYear: 1881,
    courses: [
      createCourse("New (summer) course", "turf", 2800, 600, 1200),
      createCourse("Old (winter) course", "turf", 2700, 450),
    ],
    characteristics:
      "The only left-handed track of the six. The summer course gives a horse time to find room. The winter course has a shorter straight, so position into the turn matters.",
    majorRaces: ["Cape Town Met", "King's Plate", "Cape Derby"],
    note: "A nature reserve lies inside the course.",
  },
  {
    slug: "scottsville",
    name: "Scottsville",
    town: "Pietermaritzburg",
    direction: "right-handed",
    shape: "oval",
    foundedYear: null,
    courses: [createCourse("Turf", "turf", 2300, 550, 1200)],
    characteristics:
      "A tight circuit with an uphill finish. The straight runs downhill, then up, and finds out sprinters who go too fast too soon.",
    majorRaces: ["The sprinters' festival at the end of May"],
    note: null,
  },
  {
    slug: "turffontein",
    name: "Turffontein",
    town: "Johannesburg",
    direction: "right-handed",
    shape: "oval",
    foundedYear: 1887,
    courses: [
      createCourse("Standside", "turf", 2700, 800, 1160),
      createCourse("Inside", "turf", null),
    ],
    characteristics:
      "The ground rises twelve metres between the 1 600 and the 800. No track in the country is a harder test of stamina.",
    majorRaces: ["Summer Cup", "SA Derby"],
    note: null,
  },
  {
    slug: "vaal",
    name: "Vaal",
    town: "Vereeniging",
    direction: "right-handed",
    shape: "oval",
    foundedYear: null,
    courses: [
      createCourse("Main course", "turf", 3000, 1000, 1600),
      createCourse("Classic course", "turf", 2800, null, 1000),
    ],
    characteristics:
      "The longest straight in the country. There is room for the whole field, so pace matters more than the draw.",
    majorRaces: [],
    note: "The workhorse of Highveld racing, with meetings all year.",
  },
];

/** Returns the track with this slug, or undefined for a venue added by an admin. */
export function findTrack(slug: string): Track | undefined {
  return TRACKS.find((track) => track.slug === slug);
}
