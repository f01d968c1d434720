/** Query parameters of the page that follows a payment. */
export const NOTICE_PARAMETERS = ["cancelled", "paid"] as const;
