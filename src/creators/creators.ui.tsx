// Public interface of creators for pages.
export { StandingButton } from "./admin/standing-button.ui.tsx";
export { CreatorLoginForm } from "./creator-login-form.ui.tsx";
export type { AnalystTipAnswer, CreatorLoginResult } from "./creator-login-result.ts";
export type { PhotoAnswer } from "./photo-answer.ts";
export { ProfilePhoto } from "./profile-photo.ui.tsx";
