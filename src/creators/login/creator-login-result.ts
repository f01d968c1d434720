/** The result of a tipster or analyst login that did not redirect. */
export type CreatorLoginResult = {
  /** The kind of problem, shown above the message. */
  title?: string;
  message?: string;
  errors: Partial<Record<string, string>>;
  values: Record<string, string>;
};

/** The result of the application form. */
export type ApplicationFormResult = { ok: true } | ({ ok: false } & CreatorLoginResult);

/**
 * The result of the analyst tip form. After publishing, it contains the idempotency key of the batch, whose
 * draft can then be deleted, and what the form for the next race starts with.
 */
export type AnalystTipFormResult =
  | {
      ok: true;
      idempotencyKey: string;
      nextRace: { idempotencyKey: string; venueId: string; raceDate: string; raceNumber: string };
    }
  | ({ ok: false } & CreatorLoginResult);
