/** What came of a form at the tipsters' or the analysts' door, where it did not lead on. */
export type CreatorLoginResult = {
  /** Shown above the message: the kind of problem. */
  title?: string;
  message?: string;
  errors: Partial<Record<string, string>>;
  values: Record<string, string>;
};

/** What came of an application. */
export type ApplicationFormResult = { ok: true } | ({ ok: false } & CreatorLoginResult);

/** What came of the analyst's form; once published, the batch whose draft is no longer needed. */
export type AnalystTipFormResult =
  | { ok: true; batchKey: string }
  | ({ ok: false } & CreatorLoginResult);
