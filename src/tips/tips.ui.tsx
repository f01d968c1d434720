// Public interface of tips for pages.
export { TipPanel } from "./admin/tip-panel.ui.tsx";
export type { BatchAnswer, BatchDay } from "./batch-answer.ts";
export { shouldRevalidate } from "./dashboard/revalidate-after-result.ts";
