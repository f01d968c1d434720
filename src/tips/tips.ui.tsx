// Public interface of tips for pages.
export { TipPanel } from "./admin/tip-panel.ui.tsx";
export { UnconfirmedTipResult } from "./admin/unconfirmed-tip-result.ui.tsx";
export { shouldRevalidate } from "./dashboard/revalidate-after-result.ts";
export { NoteList } from "./notes/notes-list.ui.tsx";
export type { BatchDay, BatchFormResult } from "./publishing/batch-result.ts";
