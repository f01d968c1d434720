import { refusalMessage } from "#admin-kit/admin-kit.ui.tsx";

/** Why a held earning could not be reviewed, with the status of it. */
export const REVIEW_REFUSALS = refusalMessage({
  "no-such-sale": ["Sale not found.", 404],
  disputed: ["The buyer's payment is in dispute. The earning stays held until it is settled.", 409],
  "already-released": ["Already released.", 409],
  "already-taken-back": ["Already reversed.", 409],
  "reason-missing": ["Please enter a reason.", 422],
});
