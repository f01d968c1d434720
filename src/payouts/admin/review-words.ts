import { refusalMessage } from "#admin-kit/admin-kit.ui.tsx";

/** Why a held earning could not be reviewed, with the status of it. */
export const REVIEW_REFUSALS = refusalMessage({
  "no-such-sale": ["There is no such sale.", 404],
  disputed: ["A payment of its buyer is disputed: it stays held until that is decided.", 409],
  "already-released": ["It has been released already.", 409],
  "already-taken-back": ["It has been taken back already.", 409],
  "reason-missing": ["Please give the reason.", 422],
});
