/** The ways in which a form is refused before its action runs: the response's status and status text. */
export const REFUSALS = {
  "cross-site": { status: 403, statusText: "Cross-Site Request" },
  "too-large": { status: 413, statusText: "Content Too Large" },
  "not-a-form": { status: 415, statusText: "Not a Form" },
} as const;

export type Refusal = keyof typeof REFUSALS;
