/** The messages and the statuses of refused marks of a creator. */
export const RESULT_REFUSALS = {
  suspended: {
    status: 403,
    title: "Your account is suspended.",
    message:
      "You can't enter results while your account is suspended. We will settle your tips for you.",
  },
  "no-such-tip": {
    status: 404,
    title: "We couldn't find that tip among yours.",
    message: undefined,
  },
  "too-early": {
    status: 409,
    title: "This race hasn't been run yet.",
    message:
      "You can mark it after the off, or from 18:00 on race day if the off time isn't known.",
  },
  "has-result": {
    status: 409,
    title: "This tip already has a result.",
    message:
      "You can't change a result once it is entered. If it is wrong, contact us and we'll correct it.",
  },
};
