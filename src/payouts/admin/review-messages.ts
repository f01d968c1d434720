import { refusalMessages } from "#admin-kit/admin-kit.ui.tsx";

/** Messages and HTTP statuses for refused reviews. */
export const REVIEW_REFUSALS = refusalMessages({
  "no-such-sale": ["Sale not found.", 404],
  yourself: ["This is your own earning. Another admin must review it.", 403],
  disputed: [
    "The buyer's payment is in dispute. The earning stays held until it is resolved.",
    409,
  ],
  "already-released": ["Already released.", 409],
  "already-reversed": ["Already reversed.", 409],
  "reason-missing": ["Please enter a reason.", 422],
});
