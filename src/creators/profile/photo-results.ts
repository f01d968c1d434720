import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import type { FormResult } from "#platform/form-result.ts";

/** Messages and statuses of refused photos. */
export const PHOTO_REFUSALS = {
  "too-large": {
    status: 413,
    message: "That photo is larger than 5 MB. Please choose a smaller one.",
  },
  "too-many-pixels": {
    status: 413,
    message: "That photo has more than 16 megapixels. Please choose a smaller one.",
  },
  "not-an-image": { status: 415, message: "Please choose a photo in JPEG, PNG or WebP format." },
  busy: { status: 503, message: SERVER_BUSY_MESSAGE },
  suspended: {
    status: 403,
    message: "Your account is suspended, so you can't change your photo.",
  },
  "not-a-creator": { status: 403, message: "Only tipsters and analysts can add a photo." },
} as const;

/** The result of changing or removing the photo. */
export type PhotoFormResult = FormResult<{ photo: string | null }>;
