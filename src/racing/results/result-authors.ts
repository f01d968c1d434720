/** The message for an admin with tips in a race, whose result others must enter and confirm. */
export const HAS_TIPS_MESSAGE =
  "You have tips in this race. Admins without tips in it must enter and confirm its result.";
