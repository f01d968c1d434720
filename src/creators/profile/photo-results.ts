/** What is said of a photo that is not taken, and the status that goes with it. */
export const IMAGE_REFUSALS = {
  "too-large": {
    status: 413,
    words: "That photo is larger than 5 MB. Please choose a smaller one.",
  },
  "too-many-pixels": {
    status: 413,
    words: "That photo has more than 16 megapixels. Please choose a smaller one.",
  },
  "not-an-image": { status: 415, words: "Please choose a photo in JPEG, PNG or WebP format." },
  busy: { status: 503, words: "We are very busy right now. Please try again in a few seconds." },
  suspended: {
    status: 403,
    words: "Your account is suspended, so you can't change your photo.",
  },
  "not-a-creator": { status: 403, words: "Only tipsters and analysts can add a photo." },
} as const;

/** What came of another photo. */
export type PhotoFormResult =
  | { ok: true; profileImage: string | null }
  | { ok: false; message: string };
