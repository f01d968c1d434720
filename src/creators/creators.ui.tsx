// Public interface of creators for pages.
export { SuspensionButton } from "./admin/suspension-button.ui.tsx";
export { CreatorLoginForm } from "./login/creator-login-form.ui.tsx";
export type { PhotoFormResult } from "./profile/photo-results.ts";
export { ProfilePhoto } from "./profile/profile-photo.ui.tsx";
