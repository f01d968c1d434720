// The door of tipping for pages: the forms by which tips are written and their author is shown.
export type { BatchAnswer, BatchDay } from "./batch-answer.ts";
export { racesInWords } from "./batch-form.ts";
export { BatchForm, newBatch } from "./batch-form.ui.tsx";
export { editCreatorInput, MAX_BIO, MAX_SPECIALIZATION } from "./edit-creator.input.ts";
export type { PhotoAnswer } from "./photo-answer.ts";
export { ProfilePhoto } from "./profile-photo.ui.tsx";
