// Public interface of tips for pages.
export { TipPanel } from "./admin/tip-panel.ui.tsx";
export { shouldRevalidate } from "./dashboard/revalidate-after-result.ts";
export type { BatchAnswer, BatchDay } from "./publishing/batch-result.ts";
