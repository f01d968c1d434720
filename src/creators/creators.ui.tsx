// Public interface of creators for pages.
export { SuspensionButton } from "./admin/suspension-button.ui.tsx";
export type { PhotoFormResult } from "./profile/photo-results.ts";
export { ProfilePhoto } from "./profile/profile-photo.ui.tsx";
export { CreatorLoginForm } from "./sign-in/creator-login-form.ui.tsx";
export type { AnalystTipFormResult, CreatorLoginResult } from "./sign-in/creator-login-result.ts";
