/** What a form that publishes says where it is not sent, or gets no answer. */
export const PUBLISHING_FAILED = {
  "data-not-sent": "No tip was published.",
  "data-no-answer":
    "Your tips may have been published. Publish again to be sure: they are published only once.",
};
