/** What came of another photo. */
export type PhotoAnswer =
  | { ok: true; profileImage: string | null }
  | { ok: false; message: string };
