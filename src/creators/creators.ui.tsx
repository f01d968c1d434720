// Public interface of creators for pages.
export { StandingButton } from "./admin/standing-button.ui.tsx";
export type { PhotoAnswer } from "./profile/photo-results.ts";
export { ProfilePhoto } from "./profile/profile-photo.ui.tsx";
export { CreatorLoginForm } from "./sign-in/creator-login-form.ui.tsx";
export type { AnalystTipAnswer, CreatorLoginResult } from "./sign-in/creator-login-result.ts";
