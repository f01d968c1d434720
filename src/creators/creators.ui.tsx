// Public interface of creators for pages.
export { StandingButton } from "./admin/standing-button.ui.tsx";
export type { AnalystTipAnswer, DoorAnswer } from "./door-answer.ts";
export { DoorForm } from "./door-form.ui.tsx";
export type { PhotoAnswer } from "./photo-answer.ts";
export { ProfilePhoto } from "./profile-photo.ui.tsx";
