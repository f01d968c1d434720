/** Said by the forms that lead on to the payment page, where alone a card is charged. */
export const NOT_CHARGED = "You have not been charged.";
